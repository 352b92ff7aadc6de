/** Finds the payments that returned direct debits take back, and reopens their invoices. Runs in one transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { reopen } from "../invoices/Exports.ts"
import { longestReturn, returnedPayment, type ReturnCandidate } from "./Recognition.ts"
import type { Row } from "./TransactionRows.ts"

/** Bank payments with the end-to-end id or the mandate of a return. `at`: position of the return. */
const candidates = Effect.fnUntraced(function* (tenantId: number, rows: ReadonlyArray<Row>) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<ReturnCandidate & { readonly at: number }>`
    select r.at::int as at, p.id as "paymentId", t.amount::float8 as amount, t.end_to_end_id as "endToEndId",
      t.mandate_id as "mandateId", (r.day::date - t.booked_on)::int as age
    from unnest(${rows.map((_, at) => at)}::int[], ${rows.map((row) => row.endToEndId ?? "")}::text[],
      ${rows.map((row) => row.mandateId ?? "")}::text[], ${rows.map((row) => row.bookedOn)}::text[])
      as r (at, end_to_end_id, mandate_id, day)
    join bank_fetcher.transaction t on t.tenant_id = ${tenantId} and t.current
      and (t.end_to_end_id = nullif(r.end_to_end_id, '') or t.mandate_id = nullif(r.mandate_id, ''))
      and t.booked_on between r.day::date - ${longestReturn}::int and r.day::date
    join bank_fetcher.payment p on p.transaction_id = t.id and p.state = 'active' and p.returns is null
    where not exists (select 1 from bank_fetcher.payment b where b.returns = p.id and b.state = 'active')`
})

/** Reopens what these returns take back; answers by the id of the return. A return without its payment is left out. */
export const takeBackReturns = Effect.fnUntraced(function* (tenantId: number, rows: ReadonlyArray<Row>) {
  const found = new Map<
    string,
    { readonly payment: Effect.Success<ReturnType<typeof reopen>>; readonly returns: string }
  >()
  if (rows.length === 0) return found
  const possible = Map.groupBy(yield* candidates(tenantId, rows), ({ at }) => at)
  const taken = new Set<string>()
  for (const [at, row] of rows.entries()) {
    const payment = returnedPayment(
      row,
      (possible.get(at) ?? []).filter(({ paymentId }) => !taken.has(paymentId))
    )
    if (payment === undefined) continue
    const made = yield* takeBack(payment.paymentId, row)
    if (made === undefined) continue
    taken.add(payment.paymentId)
    found.set(row.id, { payment: made, returns: payment.paymentId })
  }
  return found
})

/** Records that the transaction returns the payment; undefined when that is not possible any more. */
export const takeBack = (paymentId: string, { amount, bookedOn, currency, id }: Row) =>
  reopen({ paymentId, transactionId: id, amount, currency, paidOn: bookedOn }).pipe(
    Effect.catchTag(["SettlementRefused", "NotFound"], () => Effect.succeed(undefined))
  )
