import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { call } from "../../../lib/Call.ts"
import { calendarDay } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { useFilterable } from "../../../parts/Filterable.ts"
import { useFilters } from "../../../parts/Address.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { CsvImport } from "../../telephony/CsvImport.tsx"
import { Filters } from "../../telephony/Filters.tsx"
import { ownTenant } from "../Accounts.ts"
import { BankPage, sectionTitle } from "../BankPage.tsx"
import { FilterDay, FilterSelect } from "../../../parts/FilterSelect.tsx"
import { Money } from "../Money.tsx"
import { told } from "../Refusals.ts"
import { InvoiceBadges, invoiceStatuses, invoiceStatusTitle } from "../StatusWords.tsx"
import type { InvoiceRow } from "../Shapes.ts"
import { InvoiceForm } from "./InvoiceForm.tsx"

const t = words({
  en: {
    add: "Add an invoice",
    take: "Import a CSV file",
    search: "Number, customer, note",
    status: "State",
    overdue: "overdue",
    kind: "Kind",
    invoice: "invoice",
    credit_note: "credit note",
    from: "Due from",
    to: "Due to",
    number: "Number",
    customer: "Customer",
    due: "Due",
    amount: "Amount",
    open: "Open",
    none: "No invoice yet. Payments are matched with invoices: add them by hand, or import a CSV file.",
    noneSo: "No invoice matches the filters.",
    import: "Import invoices",
    hint: "UTF-8, at most 16 MiB. The first line names the columns: number, amount and issued_on, and optionally external_id, customer_number, currency, due_on, discount_until, discount_amount and note. An invoice with the same external id, else with the same number, is changed."
  },
  de: {
    add: "Rechnung hinzufügen",
    take: "CSV-Datei importieren",
    search: "Nummer, Kunde, Notiz",
    status: "Zustand",
    overdue: "überfällig",
    kind: "Art",
    invoice: "Rechnung",
    credit_note: "Gutschrift",
    from: "Fällig ab",
    to: "Fällig bis",
    number: "Nummer",
    customer: "Kunde",
    due: "Fällig",
    amount: "Betrag",
    open: "Offen",
    none: "Noch keine Rechnung. Rechnungen werden Zahlungen zugeordnet: Fügen Sie sie von Hand hinzu, oder importieren Sie eine CSV-Datei.",
    noneSo: "Keine Rechnung passt zu den Filtern.",
    import: "Rechnungen importieren",
    hint: "UTF-8, höchstens 16 MiB. Die erste Zeile nennt die Spalten: number, amount, issued_on, und von external_id, customer_number, currency, due_on, discount_until, discount_amount, note die vorhandenen. Eine Rechnung mit derselben external_id, sonst mit derselben Nummer, wird geändert."
  }
})

/** Invoices per page. */
const pageSize = 50

/** List of invoices and credit notes. */
export default () => {
  const { route } = useLocation()
  const filters = useFilters<string>({ q: "", status: "", kind: "", due_from: "", due_to: "" })
  const { due_from = "", due_to = "", kind = "", q = "", status = "" } = filters.value
  const keys = [due_from, due_to, kind, q, status]
  const trail = useTrail(keys)
  const before = trail.value.at(-1)
  const open = useSignal<"new" | "import" | undefined>(undefined)
  const shut = () => (open.value = undefined)
  const invoices = useLoad(
    () =>
      call("GET /api/v1/crm/invoices", {
        query: {
          ...ownTenant(),
          limit: pageSize,
          before,
          q,
          due_from,
          due_to,
          kind: kind as InvoiceRow["kind"],
          ...(status === "overdue" ? { overdue: "true" as const } : { status: status as InvoiceRow["status"] })
        }
      }),
    [...keys, before],
    { live: ["payment.*", "bank.transaction.*"] }
  )
  const filterable = useFilterable(invoices, keys.some((one) => one !== "") || before !== undefined)
  return (
    <BankPage
      section="invoices"
      actions={
        may("ebics.reconcile") && open.value === undefined ? (
          <>
            <button type="button" class="primary" onClick={() => (open.value = "new")}>
              {t().add}
            </button>
            <button type="button" onClick={() => (open.value = "import")}>
              {t().take}
            </button>
          </>
        ) : undefined
      }
    >
      {open.value === "new" ? (
        <InvoiceForm invoice={undefined} shut={shut} saved={({ id }) => route(`/console/bank/invoices/${id}`)} />
      ) : null}
      {open.value === "import" ? (
        <CsvImport
          title={t().import}
          hint={t().hint}
          path="/api/v1/crm/invoices/imports"
          query={`?${new URLSearchParams(ownTenant())}`}
          told={told}
          shut={shut}
          changed={invoices.reload}
        />
      ) : null}
      {filterable ? (
        <div class="filters">
          <Filters of={[{ name: "q", label: () => t().search, wide: true }]} filters={filters} />
          <FilterSelect
            name="status"
            label={t().status}
            value={status}
            set={(value) => filters.set("status", value)}
            options={[
              ["overdue", t().overdue],
              ...invoiceStatuses.map((one) => [one, invoiceStatusTitle(one)] as const)
            ]}
          />
          <FilterSelect
            name="kind"
            label={t().kind}
            value={kind}
            set={(value) => filters.set("kind", value)}
            options={(["invoice", "credit_note"] as const).map((one) => [one, t()[one]])}
          />
          <FilterDay
            name="due_from"
            label={t().from}
            value={due_from}
            set={(value) => filters.set("due_from", value)}
          />
          <FilterDay name="due_to" label={t().to} value={due_to} set={(value) => filters.set("due_to", value)} />
        </div>
      ) : null}
      <Loading of={invoices}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? (
              <p class="empty">{keys.some((one) => one !== "") ? t().noneSo : t().none}</p>
            ) : (
              <Table invoices={items} />
            )}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
    </BankPage>
  )
}

const Table = ({ invoices }: { readonly invoices: ReadonlyArray<InvoiceRow> }) => (
  <div class="scroll" role="region" aria-label={sectionTitle("invoices")} tabIndex={0}>
    <table class="bank-table">
      <caption class="sr">{sectionTitle("invoices")}</caption>
      <thead>
        <tr>
          <th scope="col">{t().number}</th>
          <th scope="col">{t().customer}</th>
          <th scope="col">{t().due}</th>
          <th scope="col" class="number">
            {t().amount}
          </th>
          <th scope="col" class="number">
            {t().open}
          </th>
          <th scope="col">{t().status}</th>
        </tr>
      </thead>
      <tbody>
        {invoices.map((invoice) => (
          <tr key={invoice.id}>
            <th scope="row" class="bank-name">
              <a href={`/console/bank/invoices/${invoice.id}`}>{invoice.number}</a>
              {invoice.kind === "credit_note" ? (
                <>
                  {" "}
                  <Badge tone="quiet">{t().credit_note}</Badge>
                </>
              ) : null}
            </th>
            <td>
              {invoice.customer_name ?? "–"}
              {invoice.customer_number === null ? null : <small>{invoice.customer_number}</small>}
            </td>
            <td>{calendarDay(invoice.due_on)}</td>
            <td class="number">
              <Money amount={invoice.amount} currency={invoice.currency} />
            </td>
            <td class="number">
              <Money amount={invoice.open} currency={invoice.currency} />
            </td>
            <td>
              <InvoiceBadges invoice={invoice} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
