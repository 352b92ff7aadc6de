/** Reads what a person asked to match. In the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { InvalidRequest } from "#core/http/Problem.ts"
import { minorOf } from "../bank-store/Money.ts"
import { allocationsOf } from "../invoices/Exports.ts"
import type { Suggestion } from "../matching/Model.ts"
import { allocationsFor, type Matchable, type Wanted } from "./Allocating.ts"
import type { ReconcileRequest } from "./Api.ts"
import type { Match } from "./Decisions.ts"
import { CurrencyDiffers, NotPossible } from "./Errors.ts"
import type { Row } from "./TransactionRows.ts"

type Request = typeof ReconcileRequest.Type

const invalid = (field: string, message: string) => new InvalidRequest({ errors: [{ field, message }] })

/** Invoices of the tenant with these ids. */
const invoicesOf = Effect.fnUntraced(function* (tenantId: number, ids: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Omit<Matchable, "discount"> & { until: string | null; less: number | null }>`
    select id, currency, case when status = 'cancelled' then 0 else (amount - settled)::float8 end as open,
      case when discounted = 0 then discount_until::text end as until, discount_amount::float8 as less
    from bank_fetcher.invoice where tenant_id = ${tenantId} and id = any(${ids}::text[]::uuid[])`
  return new Map(
    rows.map(({ currency, id, less, open, until }): [string, Matchable] => [
      id,
      { id, currency, open, discount: until === null || less === null ? null : { until, amount: less } }
    ])
  )
})

/** The match that the request names by its invoices. */
export const ofAllocations = Effect.fnUntraced(function* (
  row: Row,
  { allocations = [], confirm_currency: confirmed = false, note }: Request
) {
  const invoices = yield* invoicesOf(
    row.tenantId,
    allocations.map(({ invoice_id }) => invoice_id)
  )
  const wanted: Array<Wanted> = []
  for (const [at, { amount, invoice_id: id }] of allocations.entries()) {
    const field = `payload.allocations[${at}]`
    const invoice = invoices.get(id.toLowerCase())
    if (invoice === undefined) return yield* invalid(`${field}.invoice_id`, "must be the id of an invoice")
    const isOther = invoice.currency !== row.currency
    if (isOther && !confirmed) return yield* new CurrencyDiffers({ invoice_id: invoice.id, currency: invoice.currency })
    if (isOther && amount === undefined)
      return yield* invalid(`${field}.amount`, `is required, in ${invoice.currency}, because the currencies differ`)
    const minor = amount === undefined ? undefined : minorOf(amount, invoice.currency)
    if (amount !== undefined && (minor === undefined || minor === 0))
      return yield* invalid(`${field}.amount`, `must be an amount in ${invoice.currency} such as 250.50, other than 0`)
    wanted.push({ invoice, amount: minor })
  }
  const currencies = new Set(wanted.map(({ invoice }) => invoice.currency))
  if (currencies.size > 1) return yield* invalid("payload.allocations", "must be invoices in one currency")
  const [currency = row.currency] = currencies
  const amount = currency === row.currency ? row.amount : wanted.reduce((sum, { amount: part = 0 }) => sum + part, 0)
  if (Math.sign(amount) !== Math.sign(row.amount))
    return yield* new NotPossible({
      reason: "wrong_direction",
      detail: "The sum must have the sign of the transaction."
    })
  const settled = allocationsFor(wanted, { amount, bookedOn: row.bookedOn })
  const empty = settled.find((allocation) => allocation.amount === 0)
  if (empty !== undefined) {
    const isOpen = invoices.get(empty.invoiceId)!.open !== 0
    return yield* new NotPossible({
      reason: isOpen ? "more_than_transaction" : "invoice_not_open",
      invoice_id: empty.invoiceId,
      detail: isOpen ? "Nothing of the transaction is left for this invoice." : "The invoice is not open."
    })
  }
  return { amount, currency, allocations: settled, note: note ?? null } satisfies Match as Match
})

/** The match that the request names by the position of a suggestion. */
export const ofSuggestion = Effect.fnUntraced(function* (
  row: Row,
  suggestions: ReadonlyArray<Suggestion>,
  { note, suggestion: position = 0 }: Request
) {
  const suggestion = suggestions[position - 1]
  if (suggestion === undefined) return yield* invalid("payload.suggestion", "must be the position of a suggestion")
  const other = suggestion.allocations.find(({ invoice }) => invoice.currency !== row.currency)
  if (other !== undefined)
    return yield* new CurrencyDiffers({
      invoice_id: other.invoice.id,
      currency: other.invoice.currency,
      detail: "Name the invoices and their amounts in `allocations`."
    })
  return {
    amount: row.amount,
    currency: row.currency,
    allocations: allocationsOf(suggestion.allocations, row),
    note: note ?? null
  } satisfies Match as Match
})
