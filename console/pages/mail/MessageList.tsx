import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { useDoing } from "../../lib/Doing.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { Trouble } from "../../parts/Trouble.tsx"
import { changeMessages } from "./Actions.ts"
import { BulkBar } from "./BulkBar.tsx"
import { useOf } from "./FolderNames.ts"
import { MailPages, perPage } from "./MailPages.tsx"
import type { Place } from "./Place.ts"
import { Rows } from "./Rows.tsx"
import { changes, type Folder, mailEvents } from "./Shapes.ts"

const t = words({
  en: { none: "No mail here.", nothing: "Nothing found." },
  de: { none: "Hier ist keine Mail.", nothing: "Nichts gefunden." }
})

/** Loads the search results when there are search words, else the folder. */
const ask = ({ account, folder, page, view, words: q }: Place) =>
  q === ""
    ? call("GET /api/v1/mail/webmail/messages/:folder", {
        params: { folder },
        query: {
          account,
          page,
          per_page: perPage,
          ...(view === "unseen" ? { unseen: "true" as const } : view === "flagged" ? { flagged: "true" as const } : {})
        }
      })
    : call("GET /api/v1/mail/webmail/search", { query: { account, folder, q, page, per_page: perPage } })

/** Messages of a folder or of a search, with actions for the chosen ones. */
export const MessageList = ({ folders, place }: { readonly place: Place; readonly folders: ReadonlyArray<Folder> }) => {
  const chosen = useSignal<ReadonlySet<number>>(new Set())
  const doing = useDoing()
  const list = useLoad(() => ask(place), [changes.value], { live: mailEvents })
  const use = useOf(place.folder, folders)
  const there = list.value.value?.items ?? []
  const picked = there.filter(({ uid }) => chosen.value.has(uid))

  const apply: Parameters<typeof BulkBar>[0]["apply"] = (what) =>
    void doing
      .run(() => changeMessages(place.account, place.folder, picked, what))
      .then((done) => {
        if (done && what.action !== "flags") chosen.value = new Set()
      })

  return (
    <>
      <Trouble problem={doing.problem.value} />
      <Loading of={list}>
        {({ items, page, pages, per_page, total }) =>
          items.length === 0 && page === 1 ? (
            <p class="empty">{place.words === "" ? t().none : t().nothing}</p>
          ) : (
            <>
              <BulkBar
                apply={apply}
                busy={doing.busy.value}
                count={picked.length}
                folder={place.folder}
                folders={folders}
                forGood={use === "\\Trash"}
              />
              <Rows
                chosen={chosen}
                drafts={use === "\\Drafts"}
                items={items}
                outgoing={use === "\\Sent" || use === "\\Drafts"}
                place={place}
                mark={(row, what) => void doing.run(() => changeMessages(place.account, place.folder, [row], what))}
              />
              <MailPages count={items.length} of={{ page, pages, per_page, total }} place={place} />
            </>
          )
        }
      </Loading>
    </>
  )
}
