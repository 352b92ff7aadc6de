import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { Finder, type Found } from "../../../parts/Finder.tsx"
import type { OwnInput } from "../../telephony/Kind.ts"
import { ownTenant } from "../Accounts.ts"
import type { BankCustomer } from "../Shapes.ts"

const t = words({ en: { find: "Name or customer number" }, de: { find: "Name oder Kundennummer" } })

/** Customers that a search offers. */
const offered = 12

const found = ({ customer_id, name, number }: Pick<BankCustomer, "customer_id" | "name" | "number">): Found => ({
  id: String(customer_id),
  label: name,
  detail: () => number
})

/** Field for a customer; its value is the customer's id. */
export const CustomerField = ({ describedBy, id, invalid, set, value }: OwnInput) => {
  const chosen = useSignal<Found | undefined>(undefined)
  useEffect(() => {
    if (value === "" || chosen.peek()?.id === value) return
    call("GET /api/v1/crm/ebics/customers/:customer_id/ibans", { params: { customer_id: value } }).then(
      (customer) => (chosen.value = found(customer)),
      () => (chosen.value = { id: value, label: `#${value}` })
    )
  }, [value])
  return (
    <Finder
      id={id}
      placeholder={t().find}
      value={value === "" ? undefined : (chosen.value ?? { id: value, label: "…" })}
      invalid={invalid}
      {...(describedBy === undefined ? {} : { describedBy })}
      find={(q) =>
        call("GET /api/v1/crm/ebics/customers", { query: { ...ownTenant(), q, limit: offered } }).then(({ items }) =>
          items.map(found)
        )
      }
      pick={(customer) => {
        chosen.value = customer
        set(customer?.id ?? "")
      }}
    />
  )
}
