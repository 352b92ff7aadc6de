import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { Sure } from "../../mail/Sure.tsx"
import { BankPage } from "../BankPage.tsx"
import { Refused } from "../Refusals.ts"
import { AccountFacts } from "./AccountFacts.tsx"
import { AccountForm } from "./AccountForm.tsx"
import { BankKeys } from "./BankKeys.tsx"
import { Fetches } from "./Fetches.tsx"
import { KeyCare } from "./KeyCare.tsx"
import { Permissions } from "./Permissions.tsx"
import { SetUp } from "./SetUp.tsx"

const t = words({
  en: {
    title: "Bank account",
    all: "All accounts",
    change: "Change",
    remove: "Deactivate",
    sure: "Really? Nothing is fetched any more.",
    reactivate: "Reactivate",
    transactions: "Transactions",
    statements: "Statements",
    inactive: "This account is deactivated. Its statements stay, and so do its keys.",
    byHand:
      "This account has no connection to the bank. Import its statements as files, or enter the EBICS ids with Change.",
    import: "Import statements"
  },
  de: {
    title: "Bankkonto",
    all: "Alle Konten",
    change: "Ändern",
    remove: "Deaktivieren",
    sure: "Wirklich? Es wird nichts mehr abgerufen.",
    reactivate: "Reaktivieren",
    transactions: "Umsätze",
    statements: "Auszüge",
    inactive: "Dieses Konto ist deaktiviert. Seine Auszüge bleiben, seine Schlüssel auch.",
    byHand:
      "Dieses Konto hat keine Verbindung zur Bank. Importieren Sie seine Auszüge als Dateien, oder geben Sie unter Ändern die EBICS-Kennungen ein.",
    import: "Auszüge importieren"
  }
})

/** Page of one bank account: its set-up, keys and fetches. */
export default ({ uuid }: { readonly uuid: string }) => {
  const editing = useSignal(false)
  const doing = useDoing()
  const params = { uuid }
  const live = { live: ["bank.*"] }
  const account = useLoad(() => call("GET /api/v1/crm/ebics/accounts/:uuid", { params }), [uuid], live)
  const status = useLoad(() => call("GET /api/v1/crm/ebics/accounts/:uuid/keys/status", { params }), [uuid], live)
  const changed = () => {
    account.reload()
    status.reload()
  }
  const run = (work: () => Promise<unknown>) => void doing.run(work).then((done) => done && changed())
  const shown = account.value.value
  const isEbics = shown !== undefined && shown.host_id !== null
  return (
    <BankPage
      section="accounts"
      title={shown?.name ?? t().title}
      actions={
        <>
          <a class="button" href={`/console/bank/transactions?account=${uuid}`}>
            {t().transactions}
          </a>
          <a class="button" href={`/console/bank/statements?account=${uuid}`}>
            {t().statements}
          </a>
          {shown !== undefined && may("ebics.manage") ? (
            <>
              {editing.value ? null : (
                <button type="button" onClick={() => (editing.value = true)}>
                  {t().change}
                </button>
              )}
              {shown.active ? (
                <Sure
                  sure={t().sure}
                  disabled={doing.busy.value}
                  onSure={() => run(() => call("DELETE /api/v1/crm/ebics/accounts/:uuid", { params }))}
                >
                  {t().remove}
                </Sure>
              ) : (
                <button
                  type="button"
                  disabled={doing.busy.value}
                  onClick={() => run(() => call("POST /api/v1/crm/ebics/accounts/:uuid/reactivate", { params }))}
                >
                  {t().reactivate}
                </button>
              )}
            </>
          ) : null}
          <a class="button" href="/console/bank/accounts">
            {t().all}
          </a>
        </>
      }
    >
      <Refused problem={doing.problem.value} />
      <Loading of={account}>
        {(found) => (
          <>
            {found.active ? null : <p class="remark">{t().inactive}</p>}
            {editing.value ? (
              <AccountForm
                account={found}
                shut={() => (editing.value = false)}
                saved={() => {
                  editing.value = false
                  changed()
                }}
              />
            ) : null}
            {isEbics ? (
              <Loading of={status}>
                {(keys) => (
                  <>
                    {found.active ? <SetUp account={found} status={keys} changed={changed} /> : null}
                    {found.active ? <Fetches account={found} ready={keys.ready} /> : null}
                    <AccountFacts account={found} />
                    <BankKeys status={keys} />
                    <Permissions
                      account={found}
                      canAsk={found.active && keys.activated_at !== null}
                      changed={changed}
                    />
                    {found.active && may("ebics.manage") ? (
                      <KeyCare account={found} status={keys} changed={changed} />
                    ) : null}
                  </>
                )}
              </Loading>
            ) : (
              <>
                <section class="card">
                  <p>{t().byHand}</p>
                  <a class="button" href={`/console/bank/statements?account=${uuid}&import=open`}>
                    {t().import}
                  </a>
                </section>
                <AccountFacts account={found} />
              </>
            )}
          </>
        )}
      </Loading>
    </BankPage>
  )
}
