import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may } from "../../lib/Me.ts"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { Pager, useTrail } from "../../parts/Pager.tsx"
import { useTypes } from "../domains/Providers.ts"
import { AccountForm } from "./AccountForm.tsx"
import { Account } from "./Account.tsx"
import "../domains/domains.css"

const t = words({
  en: {
    title: "DNS accounts",
    intro: "Accounts at DNS providers, with which we write zones.",
    add: "Add an account",
    none: "No account yet. Without one, you enter the records of domains at the DNS provider by hand.",
    domains: "Domains"
  },
  de: {
    title: "DNS-Konten",
    intro: "Mit Konten bei DNS-Anbietern schreibt Signalbox die Einträge der Domains selbst.",
    add: "Konto hinzufügen",
    none: "Noch kein Konto. Ohne eines tragen Sie die Einträge der Domains beim DNS-Anbieter von Hand ein.",
    domains: "Domains"
  }
})

/** Accounts at DNS providers: add, test, edit. */
export default () => {
  const trail = useTrail([])
  const skip = Number(trail.value.at(-1) ?? 0)
  /** Id of the account that is being edited; `new` while one is being added. */
  const open = useSignal<number | "new" | undefined>(undefined)
  const types = useTypes()
  const list = useLoad(() => call("GET /api/v1/dns-providers", { query: { limit: 50, skip } }), [skip])
  const shut = () => (open.value = undefined)
  const saved = () => {
    shut()
    list.reload()
  }
  const known = types.value.value ?? []
  return (
    <Page
      title={t().title}
      actions={
        <>
          <a class="button" href="/console/domains">
            {t().domains}
          </a>
          {may("dns.manage") && open.value !== "new" ? (
            <button type="button" class="primary" onClick={() => (open.value = "new")}>
              {t().add}
            </button>
          ) : null}
        </>
      }
    >
      <p class="soft">{t().intro}</p>
      {open.value === "new" ? <AccountForm account={undefined} types={known} saved={saved} shut={shut} /> : null}
      <Loading of={list}>
        {({ items, next_skip }) => (
          <>
            {items.length === 0 ? (
              <p class="empty">{t().none}</p>
            ) : (
              <ul class="rows">
                {items.map((account) => (
                  <li key={account.id}>
                    <Account
                      account={account}
                      types={known}
                      former={items.find((one) => one.is_default && one.customer_id === account.customer_id)?.id}
                      edit={() => (open.value = account.id)}
                      changed={list.reload}
                    />
                    {open.value === account.id ? (
                      <AccountForm account={account} types={known} saved={saved} shut={shut} />
                    ) : null}
                  </li>
                ))}
              </ul>
            )}
            <Pager next={next_skip} trail={trail} />
          </>
        )}
      </Loading>
    </Page>
  )
}
