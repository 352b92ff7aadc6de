import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { call } from "../../../lib/Call.ts"
import { calendarDay } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { useFilterable } from "../../../parts/Filterable.ts"
import { useFilters } from "../../../parts/Address.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { CsvImport } from "../../telephony/CsvImport.tsx"
import { Filters } from "../../telephony/Filters.tsx"
import { ownTenant } from "../Accounts.ts"
import { minorOf } from "../Amounts.ts"
import { BankPage, sectionTitle } from "../BankPage.tsx"
import { FilterDay, FilterSelect } from "../../../parts/FilterSelect.tsx"
import { Money } from "../Money.tsx"
import { told } from "../Refusals.ts"
import { PaymentBadge, paymentSources, paymentStateTitle, sourceTitle } from "../StatusWords.tsx"
import type { Payment } from "../Shapes.ts"
import { eventsTitle, receivesEvents } from "./EventWords.tsx"
import { PaymentForm } from "./PaymentForm.tsx"

const t = words({
  en: {
    add: "Record a payment",
    take: "Import a CSV file",
    search: "Customer, invoice, note",
    state: "State",
    source: "Source",
    from: "Paid from",
    to: "Paid to",
    unassigned: "Only with an unassigned part",
    day: "Day",
    customer: "Customer",
    invoices: "Invoices",
    amount: "Amount",
    rest: "Unassigned",
    none: "No payment yet. Payments appear here when a bank transaction is matched, a payment provider reports one, or you record one.",
    noneSo: "No payment matches the filters.",
    import: "Import payments",
    hint: "UTF-8, at most 16 MiB. The first line names the columns: external_id, amount and paid_on, and optionally invoice_numbers, customer_number, currency and note. Several invoice numbers in one cell are separated by |. A known external id changes nothing."
  },
  de: {
    add: "Zahlung erfassen",
    take: "CSV-Datei importieren",
    search: "Kunde, Rechnung, Notiz",
    state: "Zustand",
    source: "Herkunft",
    from: "Bezahlt ab",
    to: "Bezahlt bis",
    unassigned: "Nur mit nicht zugewiesenem Teil",
    day: "Tag",
    customer: "Kunde",
    invoices: "Rechnungen",
    amount: "Betrag",
    rest: "Nicht zugewiesen",
    none: "Noch keine Zahlung. Zahlungen stehen hier, sobald ein Umsatz zugeordnet ist, ein Zahlungsanbieter eine meldet oder Sie eine erfassen.",
    noneSo: "Keine Zahlung passt zu den Filtern.",
    import: "Zahlungen importieren",
    hint: "UTF-8, höchstens 16 MiB. Die erste Zeile nennt die Spalten: external_id, amount, paid_on, und von invoice_numbers, customer_number, currency, note die vorhandenen. Mehrere Rechnungsnummern in einer Zelle trennt |. Eine bekannte external_id ändert nichts."
  }
})

/** Payments per page. */
const pageSize = 50

/** List of payments from the bank, from payment providers and by hand. */
export default () => {
  const { route } = useLocation()
  const filters = useFilters<string>({ q: "", state: "", source: "", paid_from: "", paid_to: "", unassigned: "" })
  const { paid_from = "", paid_to = "", q = "", source = "", state = "", unassigned = "" } = filters.value
  const keys = [paid_from, paid_to, q, source, state, unassigned]
  const trail = useTrail(keys)
  const before = trail.value.at(-1)
  const open = useSignal<"new" | "import" | undefined>(undefined)
  const shut = () => (open.value = undefined)
  const payments = useLoad(
    () =>
      call("GET /api/v1/crm/payments", {
        query: {
          ...ownTenant(),
          limit: pageSize,
          before,
          q,
          paid_from,
          paid_to,
          state: state as Payment["state"],
          source: source as Payment["source"],
          unassigned: unassigned as "true"
        }
      }),
    [...keys, before],
    { live: ["payment.*", "bank.transaction.*"] }
  )
  const filterable = useFilterable(payments, keys.some((one) => one !== "") || before !== undefined)
  return (
    <BankPage
      section="payments"
      actions={
        <>
          {may("ebics.reconcile") && open.value === undefined ? (
            <>
              <button type="button" class="primary" onClick={() => (open.value = "new")}>
                {t().add}
              </button>
              <button type="button" onClick={() => (open.value = "import")}>
                {t().take}
              </button>
            </>
          ) : null}
          {receivesEvents() ? (
            <a class="button" href="/console/bank/payments/events">
              {eventsTitle()}
            </a>
          ) : null}
        </>
      }
    >
      {open.value === "new" ? (
        <PaymentForm shut={shut} saved={({ id }) => route(`/console/bank/payments/${id}`)} />
      ) : null}
      {open.value === "import" ? (
        <CsvImport
          title={t().import}
          hint={t().hint}
          path="/api/v1/crm/payments/imports"
          query={`?${new URLSearchParams(ownTenant())}`}
          told={told}
          shut={shut}
          changed={payments.reload}
        />
      ) : null}
      {filterable ? (
        <div class="filters">
          <Filters of={[{ name: "q", label: () => t().search, wide: true }]} filters={filters} />
          <FilterSelect
            name="state"
            label={t().state}
            value={state}
            set={(value) => filters.set("state", value)}
            options={(["active", "undone"] as const).map((one) => [one, paymentStateTitle(one)])}
          />
          <FilterSelect
            name="source"
            label={t().source}
            value={source}
            set={(value) => filters.set("source", value)}
            options={paymentSources.map((one) => [one, sourceTitle(one)])}
          />
          <FilterDay
            name="paid_from"
            label={t().from}
            value={paid_from}
            set={(value) => filters.set("paid_from", value)}
          />
          <FilterDay name="paid_to" label={t().to} value={paid_to} set={(value) => filters.set("paid_to", value)} />
          <label class="check">
            <input
              type="checkbox"
              name="unassigned"
              checked={unassigned === "true"}
              onChange={({ currentTarget }) => filters.set("unassigned", currentTarget.checked ? "true" : "")}
            />
            {t().unassigned}
          </label>
        </div>
      ) : null}
      <Loading of={payments}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? (
              <p class="empty">{keys.some((one) => one !== "") ? t().noneSo : t().none}</p>
            ) : (
              <Table payments={items} />
            )}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
    </BankPage>
  )
}

const Table = ({ payments }: { readonly payments: ReadonlyArray<Payment> }) => (
  <div class="scroll" role="region" aria-label={sectionTitle("payments")} tabIndex={0}>
    <table class="bank-table">
      <caption class="sr">{sectionTitle("payments")}</caption>
      <thead>
        <tr>
          <th scope="col">{t().day}</th>
          <th scope="col">{t().customer}</th>
          <th scope="col">{t().invoices}</th>
          <th scope="col" class="number">
            {t().amount}
          </th>
          <th scope="col" class="number">
            {t().rest}
          </th>
          <th scope="col">{t().state}</th>
        </tr>
      </thead>
      <tbody>
        {payments.map((payment) => (
          <tr key={payment.id}>
            <th scope="row" class="bank-name">
              <a href={`/console/bank/payments/${payment.id}`}>{calendarDay(payment.paid_on)}</a>
              <small>{sourceTitle(payment.source)}</small>
            </th>
            <td>
              {payment.customer_name ?? "–"}
              {payment.customer_number === null ? null : <small>{payment.customer_number}</small>}
            </td>
            <td>
              {payment.allocations.map(({ invoice_id, invoice_number }) => (
                <span key={invoice_id}>
                  <a href={`/console/bank/invoices/${invoice_id}`}>{invoice_number}</a>{" "}
                </span>
              ))}
            </td>
            <td class="number">
              <Money amount={payment.amount} currency={payment.currency} />
            </td>
            <td class="number">
              {minorOf(payment.unassigned, payment.currency) === 0 ? (
                "–"
              ) : (
                <Money amount={payment.unassigned} currency={payment.currency} />
              )}
            </td>
            <td>
              <PaymentBadge of={payment.state} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
