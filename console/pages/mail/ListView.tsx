import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { call } from "../../lib/Call.ts"
import { number } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { Trouble } from "../../parts/Trouble.tsx"
import { change } from "./Actions.ts"
import { BulkBar } from "./BulkBar.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { useOf } from "./FolderNames.ts"
import { listHref, type Place, type View, views } from "./Place.ts"
import { Rows } from "./Rows.tsx"
import { changes, type Folder, mailEvents } from "./Shapes.ts"

const t = words({
  en: {
    search: "Search this folder",
    find: "Search",
    clear: "Clear search",
    show: "Show",
    all: "All",
    unseen: "Unread",
    flagged: "Starred",
    none: "No mail here.",
    nothing: "Nothing found.",
    pages: "Pages",
    newer: "Newer",
    older: "Older",
    range: (from: string, to: string, of: string) => `${from}–${to} of ${of}`
  },
  de: {
    search: "Diesen Ordner durchsuchen",
    find: "Suchen",
    clear: "Suche leeren",
    show: "Zeigen",
    all: "Alle",
    unseen: "Ungelesene",
    flagged: "Markierte",
    none: "Hier ist keine Mail.",
    nothing: "Nichts gefunden.",
    pages: "Seiten",
    newer: "Neuere",
    older: "Ältere",
    range: (from: string, to: string, of: string) => `${from}–${to} von ${of}`
  }
})

/** Messages per page. */
const perPage = 50

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

/** Messages of a folder, or the search results in it. */
export const ListView = ({ folders, place }: { readonly place: Place; readonly folders: ReadonlyArray<Folder> }) => {
  const { route } = useLocation()
  const chosen = useSignal<ReadonlySet<number>>(new Set())
  const doing = useDoing()
  const list = useLoad(() => ask(place), [changes.value], { live: mailEvents })
  const use = useOf(place.folder, folders)
  const there = list.value.value?.items ?? []
  const picked = there.filter(({ uid }) => chosen.value.has(uid))

  const search = (event: SubmitEvent) => {
    event.preventDefault()
    route(
      listHref({
        account: place.account,
        folder: place.folder,
        words: String(new FormData(event.currentTarget as HTMLFormElement).get("q") ?? "").trim()
      })
    )
  }
  const apply: Parameters<typeof BulkBar>[0]["apply"] = (what) =>
    void doing
      .run(() =>
        change(
          place.account,
          place.folder,
          picked.map(({ uid }) => uid),
          what
        )
      )
      .then((done) => {
        if (done && what.action !== "flags") chosen.value = new Set()
      })

  return (
    <>
      <div class="mail-tools">
        <form role="search" onSubmit={search}>
          <input
            type="search"
            name="q"
            aria-label={t().search}
            placeholder={t().search}
            defaultValue={place.words}
            maxLength={500}
          />
          <button type="submit">{t().find}</button>
          {place.words === "" ? null : (
            <a class="button" href={listHref({ account: place.account, folder: place.folder })}>
              {t().clear}
            </a>
          )}
        </form>
        {place.words !== "" ? null : (
          <label>
            <span class="sr">{t().show}</span>
            <select
              value={place.view}
              onChange={(event) =>
                route(
                  listHref({ account: place.account, folder: place.folder, view: event.currentTarget.value as View })
                )
              }
            >
              {views.map((view) => (
                <option key={view} value={view}>
                  {t()[view]}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
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
                mark={(uid, what) => void doing.run(() => change(place.account, place.folder, [uid], what))}
              />
              <div class="mail-pages" role="group" aria-label={t().pages}>
                <span>
                  {t().range(
                    number((page - 1) * per_page + Math.min(1, items.length)),
                    number((page - 1) * per_page + items.length),
                    number(total)
                  )}
                </span>
                {page > 1 ? (
                  <a class="button" href={listHref({ ...place, page: page - 1 })}>
                    {t().newer}
                  </a>
                ) : null}
                {page < pages ? (
                  <a class="button" href={listHref({ ...place, page: page + 1 })}>
                    {t().older}
                  </a>
                ) : null}
              </div>
            </>
          )
        }
      </Loading>
    </>
  )
}
