import { useLocation } from "preact-iso"
import type { Answer } from "../../lib/Endpoints.ts"
import { number } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import type { Loaded } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { depthOf, titleOf } from "./FolderNames.ts"
import { listHref, type Place } from "./Place.ts"
import type { Account } from "./Shapes.ts"

const t = words({
  en: { account: "Account", folders: "Folders", unread: (count: string) => `${count} unread`, suspended: "suspended" },
  de: { account: "Konto", folders: "Ordner", unread: (count: string) => `${count} ungelesen`, suspended: "gesperrt" }
})

/** The default account: the one marked as default, else an own account, else the oldest. Same rule as in the daemon. */
export const meant = (accounts: ReadonlyArray<Account>): Account | undefined =>
  [...accounts].sort(
    (a, b) => Number(b.is_default) - Number(a.is_default) || (a.kind < b.kind ? 1 : a.kind > b.kind ? -1 : a.id - b.id)
  )[0]

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
      {accounts.length < 2 ? (
        <p class="mail-account">{accounts[0]?.address}</p>
      ) : (
        <label>
          <span class="sr">{t().account}</span>
          <select
            value={place.account ?? String(meant(accounts)?.id)}
            onChange={(event) => route(listHref({ account: event.currentTarget.value }))}
          >
            {accounts.map((account) => (
              <option key={account.id} value={String(account.id)}>
                {account.address}
                {account.state === "suspended" ? ` (${t().suspended})` : ""}
              </option>
            ))}
          </select>
        </label>
      )}
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
