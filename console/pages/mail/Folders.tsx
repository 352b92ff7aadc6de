import { useLocation } from "preact-iso"
import type { Answer } from "../../lib/Endpoints.ts"
import { number } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import type { Loaded } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { AccountChoice } from "./AccountChoice.tsx"
import { depthOf, titleOf } from "./FolderNames.ts"
import { listHref, type Place } from "./Place.ts"
import type { Account } from "./Shapes.ts"

const t = words({
  en: { folders: "Folders", unread: (count: string) => `${count} unread` },
  de: { folders: "Ordner", unread: (count: string) => `${count} ungelesen` }
})

interface Props {
  readonly accounts: ReadonlyArray<Account>
  readonly folders: Loaded<Answer<"GET /api/v1/mail/webmail/folders">>
  readonly place: Place
}

/** The accounts, and the folders of the selected account with their unread counts. */
export const Folders = ({ accounts, folders, place }: Props) => {
  const { route } = useLocation()
  return (
    <div class="mail-folders">
      <AccountChoice account={place.account} accounts={accounts} choose={(account) => route(listHref({ account }))} />
      <Loading of={folders}>
        {({ items }) => (
          <section aria-label={t().folders}>
            <ul>
              {items.map((folder) => (
                <li key={folder.name} class={`depth-${Math.min(depthOf(folder), 4)}`}>
                  {folder.selectable ? (
                    <a
                      href={listHref({ account: place.account, folder: folder.name })}
                      title={folder.name}
                      aria-current={folder.name === place.folder ? "page" : undefined}
                      class={folder.unseen > 0 ? "has-unread" : ""}
                    >
                      <span class="name">{titleOf(folder)}</span>
                      {folder.unseen > 0 ? (
                        <span class="count">
                          <span aria-hidden="true">{number(folder.unseen)}</span>
                          <span class="sr">, {t().unread(number(folder.unseen))}</span>
                        </span>
                      ) : null}
                    </a>
                  ) : (
                    <span class="holder">{titleOf(folder)}</span>
                  )}
                </li>
              ))}
            </ul>
          </section>
        )}
      </Loading>
    </div>
  )
}
