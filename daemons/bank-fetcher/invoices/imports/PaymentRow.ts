/** Converts a CSV row to a payment. Pure. */
import { Result, Schema } from "effect"
import { columnFinder, type Columns } from "#core/imports/ImportWorker.ts"
import { ExternalId } from "../invoice/Fields.ts"
import { PaymentFields } from "../payment/Fields.ts"
import type { Recorded } from "../payment/RecordPayment.ts"
import { recordedOf } from "../payment/Requests.ts"
import { cellsOf } from "./Cells.ts"
import { amount, asColumn, columnProblem, day, given } from "./InvoiceRow.ts"

const known = [
  "external_id",
  "amount",
  "currency",
  "paid_on",
  "customer_number",
  "customer_id",
  "invoice_numbers",
  "note"
] as const
type Column = (typeof known)[number]

/** Finds the known columns in a header; `invoice_number` means `invoice_numbers`. */
export const paymentColumns = columnFinder({
  known,
  // Without an id, a file that is imported twice would make every payment twice.
  required: ["external_id", "amount", "paid_on"],
  aliases: { invoice_number: "invoice_numbers" }
})

export interface PaymentRow {
  /** Customer number, to be looked up; null: the id of the payment counts. */
  readonly customerNumber: string | null
  readonly payment: Recorded & { readonly externalId: string }
}

const decode = Schema.decodeUnknownResult(Schema.Struct({ ...PaymentFields.fields, external_id: ExternalId }), {
  errors: "first"
})

/** Payment of a row, or the faulty column and the reason. */
export const paymentOf = (
  cells: ReadonlyArray<string>,
  columns: Columns<Column>
): Result.Result<PaymentRow, string> => {
  const cell = cellsOf(cells, columns)
  const customerId = cell("customer_id")
  const numbers = (cell("invoice_numbers") ?? "").split("|").flatMap((number) => number.trim() || [])
  const decoded = decode({
    external_id: cell("external_id") ?? "",
    amount: amount(cell("amount")),
    paid_on: day(cell("paid_on")),
    ...given("currency", cell("currency"), (text) => text.toUpperCase()),
    ...given("note", cell("note"), (text) => text),
    ...(customerId === undefined ? {} : { customer_id: Number(customerId) }),
    allocations: numbers.map((number) => ({ invoice_number: number }))
  })
  if (Result.isFailure(decoded)) return Result.fail(columnProblem(decoded.failure.issue))
  const { external_id: externalId, ...fields } = decoded.success
  const payment = recordedOf(fields)
  return "problems" in payment
    ? Result.fail(asColumn(payment.problems[0]!))
    : Result.succeed({ customerNumber: cell("customer_number") ?? null, payment: { ...payment, externalId } })
}
