/** Converts the fields of an invoice to their stored form. Pure. */
import { minorIn } from "../../bank-store/Fields.ts"
import { decimalOf } from "../../bank-store/Money.ts"
import type { FieldProblem } from "#core/http/Problem.ts"
import { defaultCurrency, defaultTerms, type InvoiceChange, type InvoiceFields } from "./Fields.ts"

/** An invoice as stored. Amounts in minor units. */
export interface Stored {
  readonly number: string
  readonly customer_id: number | null
  readonly amount: number
  readonly currency: string
  readonly issued_on: string
  readonly due_on: string
  readonly discount_until: string | null
  readonly discount_amount: number | null
  readonly note: string | null
}

/** The stored form, or the fields that are wrong. */
export const normalised = (
  fields: typeof InvoiceFields.Type
): Stored | { readonly problems: ReadonlyArray<FieldProblem> } => {
  const { currency = defaultCurrency, customer_id = null, discount = null, issued_on, note = null, number } = fields
  const due_on = fields.due_on ?? daysAfter(issued_on, defaultTerms)
  const problems: Array<FieldProblem> = []
  const minor = (text: string, field: string) => {
    const found = minorIn(text, currency)
    if (typeof found === "number") return found
    problems.push({ field, message: found.problem })
    return undefined
  }
  const amount = minor(fields.amount, "payload.amount")
  if (amount === 0) problems.push({ field: "payload.amount", message: "must not be 0" })
  if (due_on < issued_on) problems.push({ field: "payload.due_on", message: "must not be before issued_on" })
  const less = discount === null ? null : minor(discount.amount, "payload.discount.amount")
  if (amount !== undefined && less !== null && less !== undefined && !(less > 0 && less < amount))
    problems.push({
      field: "payload.discount.amount",
      message: amount < 0 ? "a credit note has no cash discount" : "must be above 0 and below the amount"
    })
  if (discount !== null && discount.until < issued_on)
    problems.push({ field: "payload.discount.until", message: "must not be before issued_on" })
  if (problems.length > 0 || amount === undefined || less === undefined) return { problems }
  return {
    number,
    customer_id,
    amount,
    currency,
    issued_on,
    due_on,
    discount_until: discount?.until ?? null,
    discount_amount: less,
    note
  }
}

/** The stored invoice with some fields changed, as a whole request. */
export const changed = (
  { amount, discount_amount: less, discount_until: until, ...before }: Stored,
  change: typeof InvoiceChange.Type
): typeof InvoiceFields.Type => ({
  number: before.number,
  customer_id: before.customer_id,
  currency: before.currency,
  issued_on: before.issued_on,
  due_on: before.due_on,
  note: before.note,
  amount: decimalOf(amount, before.currency),
  discount: until === null || less === null ? null : { until, amount: decimalOf(less, before.currency) },
  ...change
})

/** The day so many days later. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
