/** Reads payments with what they settle. In the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { containing } from "#core/sql/Like.ts"

export interface Payment {
  readonly id: string
  readonly seq: number
  readonly tenant_id: number
  readonly customer_id: number | null
  readonly customer_number: string | null
  readonly customer_name: string | null
  readonly external_id: string | null
  readonly source: "bank" | "manual" | "card" | "wallet"
  readonly transaction_id: string | null
  readonly returns: string | null
  readonly amount: number
  readonly unassigned: number
  readonly currency: string
  readonly paid_on: string
  readonly note: string | null
  readonly state: "active" | "undone"
  readonly allocations: ReadonlyArray<{
    readonly invoice_id: string
    readonly invoice_number: string
    readonly amount: number
    readonly discount: number
  }>
  readonly created_at: Date
  readonly updated_at: Date
}

export interface Filter {
  readonly tenant_id?: number
  readonly state?: "active" | "undone"
  readonly source?: "bank" | "manual" | "card" | "wallet"
  readonly customer_id?: number
  readonly invoice_id?: string
  readonly transaction_id?: string
  /** First and last day of payment. */
  readonly paid_from?: string
  readonly paid_to?: string
  readonly unassigned?: "true" | "false"
  readonly currency?: string
  readonly q?: string
}

const columns = (sql: SqlClient.SqlClient) => sql`p.id, p.seq, p.tenant_id, p.customer_id, c.number as customer_number,
  c.name as customer_name, p.external_id, p.source, p.transaction_id, p.returns, p.amount::float8 as amount,
  p.unassigned::float8 as unassigned, p.currency, p.paid_on::text as paid_on, p.note, p.state, p.created_at,
  p.updated_at, coalesce((select jsonb_agg(jsonb_build_object('invoice_id', a.invoice_id, 'invoice_number', i.number,
    'amount', a.amount, 'discount', a.discount) order by a.position) from bank_fetcher.payment_allocation a
    join bank_fetcher.invoice i on i.id = a.invoice_id where a.payment_id = p.id), '[]') as allocations`

const joined = (sql: SqlClient.SqlClient) => sql`bank_fetcher.payment p left join bank_fetcher.customer c
  on c.customer_id = p.customer_id and c.tenant_id = p.tenant_id and c.state = 'active'`

/** Payment with this id, or 404. */
export const get = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Payment>`select ${columns(sql)} from ${joined(sql)} where p.id = ${id}::uuid`
  return row ?? (yield* new NotFound({ detail: "The payment does not exist." }))
})

/** Payments, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (filter: Filter, before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const { currency, customer_id: customer, invoice_id: invoice, paid_from: from, paid_to: to, q } = filter
  const { source, state, tenant_id: tenant, transaction_id: transaction, unassigned } = filter
  const like = containing(q ?? "")
  return yield* sql<Payment>`select ${columns(sql)} from ${joined(sql)} where ${sql.and([
    sql`true`,
    ...(tenant === undefined ? [] : [sql`p.tenant_id = ${tenant}`]),
    ...(state === undefined ? [] : [sql`p.state = ${state}`]),
    ...(source === undefined ? [] : [sql`p.source = ${source}`]),
    ...(customer === undefined ? [] : [sql`p.customer_id = ${customer}`]),
    ...(transaction === undefined ? [] : [sql`p.transaction_id = ${transaction}::uuid`]),
    ...(from === undefined ? [] : [sql`p.paid_on >= ${from}::date`]),
    ...(to === undefined ? [] : [sql`p.paid_on <= ${to}::date`]),
    ...(unassigned === undefined ? [] : [unassigned === "true" ? sql`p.unassigned <> 0` : sql`p.unassigned = 0`]),
    ...(currency === undefined ? [] : [sql`p.currency = ${currency}`]),
    ...(invoice === undefined
      ? []
      : [
          sql`p.id in (select a.payment_id from bank_fetcher.payment_allocation a
            where a.invoice_id = ${invoice}::uuid)`
        ]),
    ...(q === undefined
      ? []
      : [
          sql`(p.external_id ilike ${like} or p.note ilike ${like} or c.name ilike ${like} or c.number ilike ${like}
            or p.id in (select a.payment_id from bank_fetcher.payment_allocation a
              join bank_fetcher.invoice i on i.id = a.invoice_id where i.number ilike ${like}))`
        ]),
    ...(before === undefined ? [] : [sql`p.seq < ${before}`])
  ])} order by p.seq desc limit ${limit}`
})
