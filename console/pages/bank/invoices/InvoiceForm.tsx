import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { FieldsForm } from "../../telephony/FieldsForm.tsx"
import type { Field } from "../../telephony/Kind.ts"
import { told } from "../Refusals.ts"
import type { Invoice } from "../Shapes.ts"
import { typedAmount } from "../Amounts.ts"
import { CustomerField } from "./CustomerField.tsx"

const t = words({
  en: {
    add: "Add an invoice",
    change: (number: string) => `Change invoice ${number}`,
    number: "Number",
    customer: "Customer",
    amount: "Amount",
    amountHint: "Negative for a credit note",
    currency: "Currency",
    issued: "Issued on",
    due: "Due on",
    dueHint: "Empty: 14 days later",
    discountUntil: "Cash discount until",
    discountAmount: "Cash discount, amount",
    external: "Id in another program",
    note: "Note"
  },
  de: {
    add: "Rechnung hinzufügen",
    change: (number: string) => `Rechnung ${number} ändern`,
    number: "Nummer",
    customer: "Kunde",
    amount: "Betrag",
    amountHint: "Negativ bei einer Gutschrift",
    currency: "Währung",
    issued: "Ausgestellt am",
    due: "Fällig am",
    dueHint: "Leer: 14 Tage später",
    discountUntil: "Skonto bis",
    discountAmount: "Skonto, Betrag",
    external: "ID in einem anderen Programm",
    note: "Notiz"
  }
})

const date = { kind: "text", type: "date" } as const
const text = { kind: "text" } as const

const fields: ReadonlyArray<Field> = [
  { name: "number", label: () => t().number, input: text, required: true },
  {
    name: "customer_id",
    label: () => t().customer,
    input: { kind: "own", draw: (input) => <CustomerField {...input} /> },
    nullable: true
  },
  { name: "amount", label: () => t().amount, hint: () => t().amountHint, input: text, required: true },
  { name: "currency", label: () => t().currency, input: text, required: true, initial: "EUR" },
  { name: "issued_on", label: () => t().issued, input: date, required: true },
  { name: "due_on", label: () => t().due, hint: () => t().dueHint, input: date },
  { name: "discount_until", label: () => t().discountUntil, input: date, nullable: true },
  { name: "discount_amount", label: () => t().discountAmount, input: text, nullable: true },
  { name: "external_id", label: () => t().external, input: text, once: true },
  { name: "note", label: () => t().note, input: text, nullable: true }
]

/** Request of the form's values: the discount is one member, and amounts are decimal texts. */
const sent = (payload: Record<string, unknown>, invoice: Invoice | undefined) => {
  const { amount, customer_id, discount_amount, discount_until, ...rest } = payload
  const currency = String(payload["currency"] ?? invoice?.currency ?? "EUR")
  const [until, less] = [
    discount_until === undefined ? invoice?.discount?.until : discount_until,
    discount_amount === undefined ? invoice?.discount?.amount : discount_amount
  ]
  const hasDiscount = discount_until !== undefined || discount_amount !== undefined
  return {
    ...rest,
    ...(amount === undefined ? {} : { amount: typedAmount(String(amount), currency) }),
    ...(customer_id === undefined ? {} : { customer_id: customer_id === null ? null : Number(customer_id) }),
    ...(!hasDiscount
      ? {}
      : {
          discount:
            (until ?? null) === null && (less ?? null) === null
              ? null
              : { until: until ?? "", amount: typedAmount(String(less ?? ""), currency) }
        })
  } as never
}

const row = ({ customer_id, discount, ...invoice }: Invoice) => ({
  ...invoice,
  customer_id: customer_id === null ? "" : String(customer_id),
  discount_until: discount?.until ?? "",
  discount_amount: discount?.amount ?? ""
})

/** Form for an invoice or a credit note. */
export const InvoiceForm = ({
  invoice,
  saved,
  shut
}: {
  /** Undefined to create one. */
  readonly invoice: Invoice | undefined
  readonly saved: (invoice: Invoice) => void
  readonly shut: () => void
}) => (
  <FieldsForm
    title={invoice === undefined ? t().add : t().change(invoice.number)}
    fields={fields.filter(({ once }) => invoice === undefined || once !== true)}
    row={invoice === undefined ? undefined : row(invoice)}
    told={told}
    shut={shut}
    send={(payload) =>
      (invoice === undefined
        ? call("POST /api/v1/crm/invoices", { payload: sent(payload, invoice) })
        : call("PATCH /api/v1/crm/invoices/:uuid", { params: { uuid: invoice.id }, payload: sent(payload, invoice) })
      ).then(saved)
    }
  />
)
