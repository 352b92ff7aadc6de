import { words } from "../../../lib/Language.ts"
import type { Filters as Held } from "../../../parts/Address.ts"
import { Filters } from "../../telephony/Filters.tsx"
import { accountLabel } from "../Accounts.ts"
import { FilterDay, FilterSelect } from "../../../parts/FilterSelect.tsx"
import { type ReconciliationStatus, reconciliationStatuses, statusTitle } from "../StatusWords.tsx"
import type { Account } from "../Shapes.ts"

const t = words({
  en: {
    search: "Search text, name, IBAN",
    status: "State",
    account: "Account",
    direction: "Direction",
    in: "money in",
    out: "money out",
    from: "From",
    to: "To",
    more: "More filters",
    least: "Amount from",
    most: "Amount to"
  },
  de: {
    search: "Text, Name, IBAN suchen",
    status: "Zustand",
    account: "Konto",
    direction: "Richtung",
    in: "Eingang",
    out: "Ausgang",
    from: "Von",
    to: "Bis",
    more: "Weitere Filter",
    least: "Betrag ab",
    most: "Betrag bis"
  }
})

/** Filters of the page with their defaults; `id`: the selected transaction. */
export const filterDefaults = {
  q: "",
  status: "",
  account: "",
  direction: "",
  from: "",
  to: "",
  min_amount: "",
  max_amount: "",
  id: ""
}

/** Filters that are out of sight until somebody uses them. */
const rare = ["direction", "from", "to", "min_amount", "max_amount"]

/** Query of the filters. Amounts may have a decimal comma; an impossible one filters nothing. */
export const queryOf = (filter: Readonly<Record<string, string>>) => {
  const amount = (name: string) => {
    const text = (filter[name] ?? "").replace(",", ".")
    return /^\d{1,13}(\.\d{1,4})?$/.test(text) ? text : ""
  }
  return {
    q: filter["q"] ?? "",
    status: (filter["status"] ?? "") as ReconciliationStatus,
    account: filter["account"] ?? "",
    direction: (filter["direction"] ?? "") as "in" | "out",
    from: filter["from"] ?? "",
    to: filter["to"] ?? "",
    min_amount: amount("min_amount"),
    max_amount: amount("max_amount")
  }
}

/** Filters of the list of transactions. */
export const TransactionFilters = ({
  accounts,
  filters
}: {
  readonly filters: Held<string>
  readonly accounts: ReadonlyArray<Account>
}) => {
  const menu = (name: string, label: string, options: ReadonlyArray<readonly [string, string]>) => (
    <FilterSelect
      name={name}
      label={label}
      value={filters.value[name] ?? ""}
      set={(value) => filters.set(name, value)}
      options={options}
    />
  )
  const day = (name: string, label: string) => (
    <FilterDay name={name} label={label} value={filters.value[name] ?? ""} set={(value) => filters.set(name, value)} />
  )
  return (
    <div class="filters desk-filters">
      <Filters of={[{ name: "q", label: () => t().search, wide: true }]} filters={filters} />
      {menu(
        "status",
        t().status,
        reconciliationStatuses.map((one) => [one, statusTitle(one)])
      )}
      {menu(
        "account",
        t().account,
        accounts.map((one) => [one.id, accountLabel(one)])
      )}
      <details class="bank-wide" open={rare.some((name) => (filters.value[name] ?? "") !== "")}>
        <summary>{t().more}</summary>
        <div class="filters">
          {menu("direction", t().direction, [
            ["in", t().in],
            ["out", t().out]
          ])}
          {day("from", t().from)}
          {day("to", t().to)}
          <Filters
            of={[
              { name: "min_amount", label: () => t().least },
              { name: "max_amount", label: () => t().most }
            ]}
            filters={filters}
          />
        </div>
      </details>
    </div>
  )
}
