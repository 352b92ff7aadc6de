import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { undoable } from "../../../lib/Undo.ts"
import { useFilterable } from "../../../parts/Filterable.ts"
import { useFilters } from "../../../parts/Address.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { FieldsForm } from "../../telephony/FieldsForm.tsx"
import { Filters } from "../../telephony/Filters.tsx"
import type { Field } from "../../telephony/Kind.ts"
import { ownTenant } from "../Accounts.ts"
import { ibanText } from "../Amounts.ts"
import { BankPage } from "../BankPage.tsx"
import { told } from "../Refusals.ts"
import type { BankCustomer } from "../Shapes.ts"

const t = words({
  en: {
    title: "IBANs of customers",
    intro: "Transactions from these IBANs are matched with the invoices of the customer.",
    search: "Name, number or IBAN",
    customer: "Customer",
    ibans: "IBANs",
    actions: "Actions",
    change: "Change IBANs",
    of: (what: string, name: string) => `${what}: ${name}`,
    form: (name: string) => `IBANs of ${name}`,
    changed: (name: string) => `The IBANs of ${name} are changed.`,
    add: "Add an IBAN",
    none: "No customer yet. Add customers on the page “Customers”; their IBANs are entered here.",
    noneSo: "No customer matches the filters."
  },
  de: {
    title: "IBANs der Kunden",
    intro: "Umsätze von diesen IBANs werden den Rechnungen des Kunden zugeordnet.",
    search: "Name, Nummer oder IBAN",
    customer: "Kunde",
    ibans: "IBANs",
    actions: "Aktionen",
    change: "IBANs ändern",
    of: (what: string, name: string) => `${what}: ${name}`,
    form: (name: string) => `IBANs von ${name}`,
    changed: (name: string) => `Die IBANs von ${name} sind geändert.`,
    add: "IBAN hinzufügen",
    none: "Noch kein Kunde. Kunden legen Sie auf der Seite „Kunden“ an; hier stehen dann ihre IBANs.",
    noneSo: "Kein Kunde passt zur Suche."
  }
})

const fields: ReadonlyArray<Field> = [
  { name: "ibans", label: () => t().ibans, input: { kind: "list", add: () => t().add, ordered: false } }
]

/** Customers per page. */
const pageSize = 50

/** Customers with the IBANs that they pay from. */
export default () => {
  const filters = useFilters<string>({ q: "" })
  const { q = "" } = filters.value
  const trail = useTrail([q])
  const before = trail.value.at(-1)
  const open = useSignal<BankCustomer | undefined>(undefined)
  const shut = () => (open.value = undefined)
  const customers = useLoad(
    () => call("GET /api/v1/crm/ebics/customers", { query: { ...ownTenant(), limit: pageSize, before, q } }),
    [q, before],
    { live: ["customer.*"] }
  )
  const filterable = useFilterable(customers, q !== "" || before !== undefined)
  return (
    <BankPage section="customers" title={t().title}>
      <p class="soft">{t().intro}</p>
      {filterable ? (
        <div class="filters">
          <Filters of={[{ name: "q", label: () => t().search, wide: true }]} filters={filters} />
        </div>
      ) : null}
      {open.value === undefined ? null : (
        <FieldsForm
          key={open.value.customer_id}
          title={t().form(open.value.name)}
          fields={fields}
          row={{ ...open.value }}
          told={told}
          shut={shut}
          send={({ ibans }) => {
            const { customer_id, ibans: before, name } = open.value!
            const put = (ibans: ReadonlyArray<string>) =>
              call("PUT /api/v1/crm/ebics/customers/:customer_id/ibans", {
                params: { customer_id },
                payload: { ibans }
              })
            return undoable(
              () => put(ibans as ReadonlyArray<string>),
              () => t().changed(name),
              () => put(before)
            ).then(() => {
              shut()
              customers.reload()
            })
          }}
        />
      )}
      <Loading of={customers}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? (
              <p class="empty">{q === "" ? t().none : t().noneSo}</p>
            ) : (
              <Table customers={items} edit={(customer) => (open.value = customer)} />
            )}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
    </BankPage>
  )
}

const Table = ({
  customers,
  edit
}: {
  readonly customers: ReadonlyArray<BankCustomer>
  readonly edit: (customer: BankCustomer) => void
}) => (
  <div class="scroll" role="region" aria-label={t().title} tabIndex={0}>
    <table class="bank-table">
      <caption class="sr">{t().title}</caption>
      <thead>
        <tr>
          <th scope="col">{t().customer}</th>
          <th scope="col">{t().ibans}</th>
          {may("ebics.reconcile") ? <th scope="col">{t().actions}</th> : null}
        </tr>
      </thead>
      <tbody>
        {customers.map((customer) => (
          <tr key={customer.customer_id}>
            <th scope="row" class="bank-name">
              <a href={`/console/bank/invoices?q=${encodeURIComponent(customer.number)}`}>{customer.name}</a>
              <small>{customer.number}</small>
            </th>
            <td>
              {customer.ibans.length === 0 ? "–" : customer.ibans.map((iban) => <div key={iban}>{ibanText(iban)}</div>)}
            </td>
            {may("ebics.reconcile") ? (
              <td>
                <button
                  type="button"
                  class="small"
                  aria-label={t().of(t().change, customer.name)}
                  onClick={() => edit(customer)}
                >
                  {t().change}
                </button>
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
