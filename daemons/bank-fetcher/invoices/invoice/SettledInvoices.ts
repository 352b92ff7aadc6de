/** Locks invoices for settling, and writes what was settled. In the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Settled, statusOf } from "../payment/Settlement.ts"

interface Row {
  readonly id: string
  readonly number: string
  readonly customer_id: number | null
  readonly currency: string
  readonly amount: number
  readonly settled: number
  readonly discounted: number
  readonly discount_until: string | null
  readonly discount_amount: number | null
  readonly status: string
}

const settledOf = (row: Row): Settled => ({
  id: row.id,
  number: row.number,
  customerId: row.customer_id,
  currency: row.currency,
  amount: row.amount,
  settled: row.settled,
  discounted: row.discounted,
  discount:
    row.discount_until === null || row.discount_amount === null
      ? null
      : { until: row.discount_until, amount: row.discount_amount },
  isCancelled: row.status === "cancelled"
})

/** Invoices of the tenant with these ids, locked in the order of their ids until the transaction ends. */
export const lockInvoices = Effect.fnUntraced(function* (tenantId: number, ids: ReadonlyArray<string>) {
  const found = new Map<string, Settled>()
  if (ids.length === 0) return found
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Row>`select id, number, customer_id, currency, amount::float8 as amount,
      settled::float8 as settled, discounted::float8 as discounted, discount_until::text as discount_until,
      discount_amount::float8 as discount_amount, status
    from bank_fetcher.invoice where tenant_id = ${tenantId} and id = any(${[...new Set(ids)]}::text[]::uuid[])
    order by id for update`
  for (const row of rows) found.set(row.id, settledOf(row))
  return found
})

/** Writes the settled amounts and the statuses of locked invoices. */
export const writeSettled = Effect.fnUntraced(function* (invoices: ReadonlyArray<Settled>) {
  if (invoices.length === 0) return
  const sql = yield* SqlClient.SqlClient
  yield* sql`update bank_fetcher.invoice i set settled = s.settled::bigint, discounted = s.discounted::bigint,
      status = s.status, updated_at = now()
    from unnest(${invoices.map(({ id }) => id)}::text[], ${invoices.map(({ settled }) => String(settled))}::text[],
      ${invoices.map(({ discounted }) => String(discounted))}::text[], ${invoices.map(statusOf)}::text[])
      as s (id, settled, discounted, status)
    where i.id = s.id::uuid`
})
