/** Converts a CSV row to an invoice. Pure. */
import { Result, Schema, SchemaIssue } from "effect"
import { columnFinder, type Columns } from "#core/imports/ImportWorker.ts"
import { ExternalId, InvoiceFields } from "../invoice/Fields.ts"
import { normalised, type Stored } from "../invoice/Normalise.ts"
import { amountOf, cellsOf, dayOf } from "./Cells.ts"

const known = [
  "number",
  "external_id",
  "customer_number",
  "customer_id",
  "amount",
  "currency",
  "issued_on",
  "due_on",
  "discount_until",
  "discount_amount",
  "note"
] as const
type Column = (typeof known)[number]

/** Finds the known columns in a header. */
export const invoiceColumns = columnFinder({ known, required: ["number", "amount", "issued_on"] })

export interface InvoiceRow {
  readonly externalId: string | null
  /** Customer number, to be looked up; null: the id of the invoice counts. */
  readonly customerNumber: string | null
  readonly invoice: Stored
}

const decode = Schema.decodeUnknownResult(
  Schema.Struct({ ...InvoiceFields.fields, external_id: Schema.optionalKey(ExternalId) }),
  { errors: "first" }
)
const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** First problem of a value that does not match its schema: the column and the reason. */
export const columnProblem = (issue: SchemaIssue.Issue): string => {
  const [found] = format(issue).issues
  return `${String(found?.path?.[0] ?? "the row")}: ${found?.message ?? "is wrong"}`
}

/** Problem of a field of a request as the problem of a column. */
export const asColumn = ({ field, message }: { readonly field: string; readonly message: string }): string =>
  `${field.replace(/^payload\./, "").replaceAll(".", "_")}: ${message}`

/** Invoice of a row, or the faulty column and the reason. */
export const invoiceOf = (
  cells: ReadonlyArray<string>,
  columns: Columns<Column>
): Result.Result<InvoiceRow, string> => {
  const cell = cellsOf(cells, columns)
  const until = cell("discount_until")
  const less = cell("discount_amount")
  if ((until === undefined) !== (less === undefined))
    return Result.fail("discount_until: a cash discount needs both its day and its amount")
  const customerId = cell("customer_id")
  const decoded = decode({
    number: cell("number") ?? "",
    amount: amount(cell("amount")),
    issued_on: day(cell("issued_on")),
    ...given("due_on", cell("due_on"), day),
    ...given("currency", cell("currency"), (text) => text.toUpperCase()),
    ...given("note", cell("note"), (text) => text),
    ...given("external_id", cell("external_id"), (text) => text),
    ...(customerId === undefined ? {} : { customer_id: Number(customerId) }),
    ...(until === undefined || less === undefined ? {} : { discount: { until: day(until), amount: amount(less) } })
  })
  if (Result.isFailure(decoded)) return Result.fail(columnProblem(decoded.failure.issue))
  const { external_id: externalId = null, ...fields } = decoded.success
  const invoice = normalised(fields)
  return "problems" in invoice
    ? Result.fail(asColumn(invoice.problems[0]!))
    : Result.succeed({ externalId, customerNumber: cell("customer_number") ?? null, invoice })
}

/** The amount as a request has it. Text that is unclear or no amount is marked, so that its schema refuses it. */
export const amount = (text: string | undefined): string => (text === undefined ? "" : (amountOf(text) ?? `?${text}`))

/** The day as a request has it; text that is no day stays, and its schema refuses it. */
export const day = (text: string | undefined): string => (text === undefined ? "" : (dayOf(text) ?? text))

/** The field, when its cell is not empty. */
export const given = <const Name extends string>(
  name: Name,
  text: string | undefined,
  read: (text: string) => string
): { readonly [K in Name]?: string } => (text === undefined ? {} : ({ [name]: read(text) } as { [K in Name]: string }))
