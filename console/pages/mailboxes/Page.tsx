import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { AccountForm } from "./AccountForm.tsx"
import { AccountRows } from "./AccountRows.tsx"
import { WatchTable } from "./WatchTable.tsx"
import "./mailboxes.css"

const t = words({
  en: { title: "Mailboxes", add: "Add an account", watched: "Watching for new mail", accounts: "Accounts" },
  de: { title: "Postfächer", add: "Konto hinzufügen", watched: "Überwachung auf neue Mail", accounts: "Konten" }
})

/** Poll interval, because connections change without an event. Unit: milliseconds. */
const lookEvery = 10_000

/** Mail accounts and the state of their watching, live. */
export default () => {
  /** Id of the account that is being edited; `new` while one is being added. */
  const open = useSignal<number | "new" | undefined>(undefined)
  const accounts = useLoad(() => call("GET /api/v1/mail/webmail/accounts", { query: { limit: 200 } }), [], {
    live: ["mail.account.*"]
  })
  const status = useLoad(() => call("GET /api/v1/mail/webmail/watcher/status", { query: { limit: 200 } }), [], {
    live: ["mail.*"],
    every: lookEvery
  })
  const saved = () => {
    open.value = undefined
    accounts.reload()
    status.reload()
  }
  const shut = () => (open.value = undefined)
  const add = (
    <button type="button" class="primary" onClick={() => (open.value = "new")}>
      {t().add}
    </button>
  )
  return (
    <Page title={t().title} actions={open.value === "new" ? undefined : add}>
      {open.value === "new" ? <AccountForm account={undefined} saved={saved} shut={shut} /> : null}
      <h2>{t().accounts}</h2>
      <Loading of={accounts}>
        {({ items }) => (
          <AccountRows changed={saved} edit={(id) => (open.value = id)} items={items} open={open.value} shut={shut} />
        )}
      </Loading>
      {accounts.value.value?.items.length === 0 ? null : (
        <>
          <h2>{t().watched}</h2>
          <Loading of={status}>{({ items }) => <WatchTable items={items} />}</Loading>
        </>
      )}
    </Page>
  )
}
