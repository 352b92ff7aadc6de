import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { useFilterable } from "../../../parts/Filterable.ts"
import { useFilters } from "../../../parts/Address.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { Filters } from "../../telephony/Filters.tsx"
import { ownTenant } from "../Accounts.ts"
import { ibanText } from "../Amounts.ts"
import { BankPage, sectionTitle } from "../BankPage.tsx"
import { FilterSelect } from "../../../parts/FilterSelect.tsx"
import type { Account } from "../Shapes.ts"
import { AccountBadges } from "./AccountBadges.tsx"

const t = words({
  en: {
    add: "Add an account",
    search: "Name or IBAN",
    state: "State",
    active: "in use",
    inactive: "deactivated",
    account: "Account",
    connection: "Connection",
    byHand: "import by hand",
    none: "No bank account yet. Add the account whose payments you want to match; its statements come by EBICS or as files.",
    noneSo: "No account matches the filters.",
    fetching: "fetches by schedule",
    notFetching: "schedule is off"
  },
  de: {
    add: "Konto hinzufügen",
    search: "Name oder IBAN",
    state: "Zustand",
    active: "in Gebrauch",
    inactive: "deaktiviert",
    account: "Konto",
    connection: "Verbindung",
    byHand: "Import von Hand",
    none: "Noch kein Bankkonto. Fügen Sie das Konto hinzu, dessen Zahlungen zugeordnet werden sollen; seine Auszüge kommen per EBICS oder als Dateien.",
    noneSo: "Kein Konto passt zu den Filtern.",
    fetching: "ruft nach Zeitplan ab",
    notFetching: "Zeitplan ist aus"
  }
})

/** Accounts per page. */
const pageSize = 50

/** List of the bank accounts. */
export default () => {
  const filters = useFilters<string>({ q: "", active: "true" })
  const { active = "", q = "" } = filters.value
  const trail = useTrail([active, q])
  const before = trail.value.at(-1)
  const accounts = useLoad(
    () =>
      call("GET /api/v1/crm/ebics/accounts", {
        query: { ...ownTenant(), limit: pageSize, before, q, active: active as "true" | "false" }
      }),
    [active, q, before],
    { live: ["bank.*"] }
  )
  const filterable = useFilterable(accounts, q !== "" || active !== "true" || before !== undefined, () =>
    call("GET /api/v1/crm/ebics/accounts", { query: { ...ownTenant(), limit: 1 } })
  )
  return (
    <BankPage
      section="accounts"
      actions={
        may("ebics.manage") ? (
          <a class="button primary" href="/console/bank/accounts/new">
            {t().add}
          </a>
        ) : undefined
      }
    >
      {filterable ? (
        <div class="filters">
          <Filters of={[{ name: "q", label: () => t().search }]} filters={filters} />
          <FilterSelect
            name="active"
            label={t().state}
            value={active}
            set={(value) => filters.set("active", value)}
            options={[
              ["true", t().active],
              ["false", t().inactive]
            ]}
          />
        </div>
      ) : null}
      <Loading of={accounts}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? (
              <p class="empty">{q === "" && active !== "false" ? t().none : t().noneSo}</p>
            ) : (
              <Table accounts={items} />
            )}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
    </BankPage>
  )
}

const Table = ({ accounts }: { readonly accounts: ReadonlyArray<Account> }) => (
  <div class="scroll" role="region" aria-label={sectionTitle("accounts")} tabIndex={0}>
    <table class="bank-table">
      <caption class="sr">{sectionTitle("accounts")}</caption>
      <thead>
        <tr>
          <th scope="col">{t().account}</th>
          <th scope="col">{t().state}</th>
          <th scope="col">{t().connection}</th>
        </tr>
      </thead>
      <tbody>
        {accounts.map((account) => (
          <tr key={account.id}>
            <th scope="row" class="bank-name">
              <a href={`/console/bank/accounts/${account.id}`}>{account.name}</a>
              <small>
                {ibanText(account.iban)} {account.currency}
              </small>
            </th>
            <td>
              <AccountBadges account={account} />
            </td>
            <td>
              {account.host_id === null ? (
                <Badge tone="quiet">{t().byHand}</Badge>
              ) : (
                <>
                  EBICS {account.ebics_version ?? ""} <code>{account.host_id}</code>
                  <small>{account.fetch_enabled ? t().fetching : t().notFetching}</small>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
