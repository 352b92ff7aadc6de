import { useLocation } from "preact-iso"
import { words } from "../../lib/Language.ts"
import { MessageList } from "./MessageList.tsx"
import { listHref, type Place, type View, views } from "./Place.ts"
import type { Folder } from "./Shapes.ts"
import { ThreadList } from "./ThreadList.tsx"

const t = words({
  en: {
    search: "Search this folder",
    find: "Search",
    clear: "Clear search",
    show: "Show",
    all: "All",
    unseen: "Unread",
    flagged: "Starred",
    threads: "Conversations"
  },
  de: {
    search: "Diesen Ordner durchsuchen",
    find: "Suchen",
    clear: "Suche leeren",
    show: "Zeigen",
    all: "Alle",
    unseen: "Ungelesene",
    flagged: "Markierte",
    threads: "Unterhaltungen"
  }
})

/** Messages of a folder, its conversations, or the search results in it. */
export const ListView = ({ folders, place }: { readonly place: Place; readonly folders: ReadonlyArray<Folder> }) => {
  const { route } = useLocation()
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
      {place.view === "threads" && place.words === "" ? (
        <ThreadList place={place} />
      ) : (
        <MessageList folders={folders} place={place} />
      )}
    </>
  )
}
