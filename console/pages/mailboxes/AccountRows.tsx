import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { Badge } from "../../parts/Badge.tsx"
import { Trouble } from "../../parts/Trouble.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { offerUndo } from "../../lib/Undo.ts"
import { undoWords } from "../../lib/UndoWords.ts"
import { listHref } from "../mail/Place.ts"
import type { Account } from "../mail/Shapes.ts"
import { Sure } from "../mail/Sure.tsx"
import { AppPasswords, ownMailbox } from "../mail-domains/AppPasswords.tsx"
import { AccountForm } from "./AccountForm.tsx"

const t = words({
  en: {
    caption: "Mail accounts",
    none: "No account yet. Add an account of any mail server: its mail can then be read here, and new mail is announced.",
    address: "Address",
    kind: "Where",
    actions: "Actions",
    own: "our mail server",
    standard: "default",
    suspended: "suspended",
    read: "Read",
    change: "Change",
    forget: "Forget",
    sure: "Really forget?",
    make: "Make default",
    of: (what: string, address: string) => `${what}: ${address}`
  },
  de: {
    caption: "Mailkonten",
    none: "Noch kein Konto. Fügen Sie das Konto eines beliebigen Mailservers hinzu: Seine Mail können Sie dann hier lesen, und neue wird gemeldet.",
    address: "Adresse",
    kind: "Wo",
    actions: "Aktionen",
    own: "unser Mailserver",
    standard: "Standard",
    suspended: "gesperrt",
    read: "Lesen",
    change: "Ändern",
    forget: "Vergessen",
    sure: "Wirklich vergessen?",
    make: "Als Standard",
    of: (what: string, address: string) => `${what}: ${address}`
  }
})

interface Props {
  readonly changed: () => void
  readonly edit: (id: number) => void
  readonly items: ReadonlyArray<Account>
  readonly open: number | "new" | undefined
  readonly shut: () => void
}

/** Accounts with their actions. Own accounts are managed by the administrator, except for the name and the watching. */
export const AccountRows = ({ changed, edit, items, open, shut }: Props) => {
  const doing = useDoing()
  const run = (work: () => Promise<unknown>) => void doing.run(work).then((done) => done && changed())
  const standard = (id: number) =>
    call("POST /api/v1/mail/webmail/accounts/:id/default", { params: { id: String(id) } })
  const makeDefault = (account: Account) => {
    const before = items.find(({ is_default }) => is_default)
    run(async () => {
      await standard(account.id)
      if (before !== undefined)
        offerUndo({ done: () => undoWords().standard(account.address), undo: () => standard(before.id) })
    })
  }
  if (items.length === 0) return <p class="empty">{t().none}</p>
  return (
    <>
      <Trouble problem={doing.problem.value} />
      <div class="scroll" role="region" aria-label={t().caption} tabIndex={0}>
        <table>
          <caption class="sr">{t().caption}</caption>
          <thead>
            <tr>
              <th>{t().address}</th>
              <th>{t().kind}</th>
              <th>{t().actions}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((account) => (
              <tr key={account.id}>
                <td>
                  {account.address} {account.is_default ? <Badge tone="info">{t().standard}</Badge> : null}{" "}
                  {account.state === "suspended" ? <Badge tone="warning">{t().suspended}</Badge> : null}
                  {account.display_name === "" ? null : (
                    <>
                      <br />
                      <small>{account.display_name}</small>
                    </>
                  )}
                </td>
                <td>{account.kind === "own" ? t().own : `${account.imap_host}:${account.imap_port}`}</td>
                <td>
                  <div class="page-actions">
                    <a
                      class="button"
                      aria-label={t().of(t().read, account.address)}
                      href={listHref({ account: String(account.id), folder: "INBOX" })}
                    >
                      {t().read}
                    </a>
                    <button
                      type="button"
                      aria-label={t().of(t().change, account.address)}
                      aria-expanded={open === account.id}
                      onClick={() => edit(account.id)}
                    >
                      {t().change}
                    </button>
                    {account.is_default ? null : (
                      <button
                        type="button"
                        aria-label={t().of(t().make, account.address)}
                        disabled={doing.busy.value}
                        onClick={() => makeDefault(account)}
                      >
                        {t().make}
                      </button>
                    )}
                    {account.kind === "own" ? (
                      <AppPasswords of={ownMailbox(account.address)} small={false} />
                    ) : (
                      <Sure
                        sure={t().sure}
                        disabled={doing.busy.value}
                        onSure={() =>
                          run(() =>
                            call("DELETE /api/v1/mail/webmail/accounts/:id", { params: { id: String(account.id) } })
                          )
                        }
                      >
                        {t().forget}
                      </Sure>
                    )}
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {items
        .filter(({ id }) => id === open)
        .map((account) => (
          <AccountForm key={account.id} account={account} saved={changed} shut={shut} />
        ))}
    </>
  )
}
