import { words } from "../../lib/Language.ts"
import * as Notices from "../../lib/Notices.ts"
import { may } from "../../lib/Me.ts"
import { undoable } from "../../lib/Undo.ts"
import { Acknowledge } from "../../parts/Acknowledge.tsx"
import { Icon } from "../../parts/Icon.tsx"
import { Leading } from "../../parts/Leading.tsx"
import { Severity } from "../../parts/Severity.tsx"
import { When } from "../../parts/When.tsx"
import { categoryName } from "./Categories.ts"

const t = words({
  en: {
    unread: "Unread",
    open: "Open",
    read: "Mark as read",
    remove: "Remove",
    removeThis: (title: string) => `Remove: ${title}`,
    removed: (title: string) => `Removed: ${title}`,
    readThis: (title: string) => `Mark as read: ${title}`,
    isRead: (title: string) => `Marked as read: ${title}`
  },
  de: {
    unread: "Ungelesen",
    open: "Öffnen",
    read: "Als gelesen markieren",
    remove: "Entfernen",
    removeThis: (title: string) => `Entfernen: ${title}`,
    removed: (title: string) => `Entfernt: ${title}`,
    readThis: (title: string) => `Als gelesen markieren: ${title}`,
    isRead: (title: string) => `Als gelesen markiert: ${title}`
  }
})

/** One notification. `attempt` runs an action and shows its error. Opening its link marks the notification as read. */
export const Notice = ({
  attempt,
  now,
  of
}: {
  readonly of: Notices.Notice
  readonly now: number
  readonly attempt: (work: Promise<unknown>) => void
}) => {
  const fresh = of.read_at === null
  const read = () => {
    if (fresh) attempt(Notices.markRead(of.uuid))
  }
  /** The link and the acknowledgement say what was done themselves; only the button offers an undo. */
  const readByButton = () =>
    attempt(
      undoable(
        () => Notices.markRead(of.uuid),
        () => t().isRead(of.title),
        () => Notices.markUnread(of.uuid)
      )
    )
  return (
    <li class={`notice ${of.severity}${fresh ? " fresh" : ""}`}>
      <div class="notice-head">
        <h2>{of.title}</h2>
        {fresh ? <span class="sr">{t().unread}</span> : null}
        <Severity of={of.severity} />
        <small>{categoryName(of.category)}</small>
        <small>
          <When at={of.created_at} now={now} />
        </small>
      </div>
      <p class="notice-body">{of.body}</p>
      <div class="notice-actions">
        {fresh && of.entity_type === "run" && of.entity_id !== null && may("workflows.manage") ? (
          <Acknowledge id={of.entity_id} title={of.title} small done={read} />
        ) : null}
        {of.action_url === null ? null : (
          <Leading class="button small" to={of.action_url} onClick={read}>
            {t().open}
            <span class="sr">: {of.title}</span>
          </Leading>
        )}
        {fresh ? (
          <button type="button" class="small" aria-label={t().readThis(of.title)} onClick={readByButton}>
            {t().read}
          </button>
        ) : null}
        <button
          type="button"
          class="plain small"
          title={t().remove}
          aria-label={t().removeThis(of.title)}
          onClick={() => attempt(Notices.remove(of, () => t().removed(of.title)))}
        >
          <Icon name="close" />
        </button>
      </div>
    </li>
  )
}
