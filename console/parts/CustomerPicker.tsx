import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { call } from "../lib/Call.ts"
import { words } from "../lib/Language.ts"
import { may } from "../lib/Me.ts"
import { Finder, type Found } from "./Finder.tsx"

const t = words({
  en: { find: "Name or customer number", id: "Id of the customer" },
  de: { find: "Name oder Kundennummer", id: "Nummer des Kunden in der Datenbank" }
})

/** Customers that a search offers. */
const offered = 12

/** What a picker needs to know of a customer. */
export interface Customer {
  readonly id: number
  readonly name: string
  readonly number: string
}

/** Where customers are found. The default is the customers of the user's tenant. */
export interface Customers {
  readonly find: (q: string) => Promise<ReadonlyArray<Customer>>
  readonly load: (id: string) => Promise<Customer>
}

const own: Customers = {
  find: (q) => call("GET /api/v1/crm/customers", { query: { q, limit: offered } }).then(({ items }) => items),
  load: (id) => call("GET /api/v1/crm/customers/:id", { params: { id } })
}

const found = ({ id, name, number }: Customer): Found => ({ id: String(id), label: name, detail: () => number })

interface Props {
  readonly id: string
  /** Id of the customer as text; empty for none. */
  readonly value: string
  readonly set: (id: string) => void
  readonly of?: Customers
  readonly label?: string
  readonly required?: boolean
  readonly invalid?: boolean
  readonly describedBy?: string
}

/** Field for a customer, found by name or number. Its value is the customer's id, which people need not know. */
export const CustomerPicker = (props: Props) => {
  const { describedBy, id, invalid = false, label, of = own, required = false, set, value } = props
  const chosen = useSignal<Found | undefined>(undefined)
  // Without this permission nobody finds customers, but may still name one.
  const blind = of === own && !may("customers.read")
  useEffect(() => {
    if (blind || value === "" || chosen.peek()?.id === value) return
    let current = true
    of.load(value).then(
      (customer) => current && (chosen.value = found(customer)),
      () => current && (chosen.value = { id: value, label: `#${value}` })
    )
    return () => void (current = false)
  }, [value, blind])
  const shared = {
    id,
    ...(label === undefined ? {} : { label }),
    ...(describedBy === undefined ? {} : { describedBy })
  }
  if (blind)
    return (
      <input
        id={id}
        type="number"
        min={1}
        step={1}
        required={required}
        placeholder={t().id}
        aria-invalid={invalid}
        {...(label === undefined ? {} : { "aria-label": label })}
        {...(describedBy === undefined ? {} : { "aria-describedby": describedBy })}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    )
  return (
    <Finder
      {...shared}
      placeholder={t().find}
      invalid={invalid}
      required={required}
      value={value === "" ? undefined : chosen.value?.id === value ? chosen.value : { id: value, label: "…" }}
      find={(q) => of.find(q).then((items) => items.map(found))}
      pick={(customer) => {
        chosen.value = customer
        set(customer?.id ?? "")
      }}
    />
  )
}
