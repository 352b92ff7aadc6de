import { number } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { type Change, markRead, markUnread, star, unstar } from "./Actions.ts"
import { MoveTo } from "./MoveTo.tsx"
import type { Folder } from "./Shapes.ts"
import { Sure } from "./Sure.tsx"

const t = words({
  en: {
    chosen: "What to do with the chosen mails",
    count: (count: string) => `${count} chosen`,
    read: "Read",
    unread: "Unread",
    star: "Star",
    unstar: "Unstar",
    delete: "Delete",
    sure: "Delete for good?"
  },
  de: {
    chosen: "Was mit den gewählten Mails geschieht",
    count: (count: string) => `${count} gewählt`,
    read: "Gelesen",
    unread: "Ungelesen",
    star: "Markieren",
    unstar: "Nicht markieren",
    delete: "Löschen",
    sure: "Endgültig löschen?"
  }
})

interface Props {
  readonly apply: (what: Change) => void
  readonly busy: boolean
  readonly count: number
  readonly folder: string
  readonly folders: ReadonlyArray<Folder>
  /** Whether deleting is permanent in this folder. */
  readonly forGood: boolean
}

/** Actions for the selected messages; hidden when none is selected. */
export const BulkBar = ({ apply, busy, count, folder, folders, forGood }: Props) => (
  <div class="mail-bulk" role="group" aria-label={t().chosen}>
    <span role="status">{count === 0 ? "" : t().count(number(count))}</span>
    {count === 0 ? null : (
      <>
        <button type="button" disabled={busy} onClick={() => apply(markRead)}>
          {t().read}
        </button>
        <button type="button" disabled={busy} onClick={() => apply(markUnread)}>
          {t().unread}
        </button>
        <button type="button" disabled={busy} onClick={() => apply(star)}>
          {t().star}
        </button>
        <button type="button" disabled={busy} onClick={() => apply(unstar)}>
          {t().unstar}
        </button>
        <MoveTo
          folder={folder}
          folders={folders}
          disabled={busy}
          move={(target) => apply({ action: "move", target })}
        />
        {forGood ? (
          <Sure sure={t().sure} disabled={busy} onSure={() => apply({ action: "delete" })}>
            {t().delete}
          </Sure>
        ) : (
          <button type="button" disabled={busy} onClick={() => apply({ action: "delete" })}>
            {t().delete}
          </button>
        )}
      </>
    )}
  </div>
)
