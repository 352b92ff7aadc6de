/** Lists of invoices, and the payments of one. In the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { columns, type Invoice, joined } from "./Invoices.ts"
import { containing } from "#core/sql/Like.ts"

export interface Filter {
  readonly tenant_id?: number
  readonly status?: "open" | "partial" | "paid" | "cancelled"
  readonly kind?: "invoice" | "credit_note"
  readonly customer_id?: number
  readonly q?: string
  readonly number?: string
  /** First and last due day. */
  readonly due_from?: string
  readonly due_to?: string
  readonly overdue?: "true" | "false"
  readonly currency?: string
}

/** Invoices, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (filter: Filter, before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const { currency, customer_id: customer, due_from: from, due_to: to, kind, number, overdue, q, status } = filter
  const like = containing(q ?? "")
  const isOverdue = sql`(i.status in ('open', 'partial') and i.amount > 0 and i.due_on < current_date)`
  return yield* sql<Invoice>`select ${columns(sql)} from ${joined(sql)} where ${sql.and([
    sql`true`,
    ...(filter.tenant_id === undefined ? [] : [sql`i.tenant_id = ${filter.tenant_id}`]),
    ...(status === undefined ? [] : [sql`i.status = ${status}`]),
    ...(kind === undefined ? [] : [sql`i.kind = ${kind}`]),
    ...(customer === undefined ? [] : [sql`i.customer_id = ${customer}`]),
    ...(number === undefined ? [] : [sql`i.number = ${number}`]),
    ...(from === undefined ? [] : [sql`i.due_on >= ${from}::date`]),
    ...(to === undefined ? [] : [sql`i.due_on <= ${to}::date`]),
    ...(overdue === undefined ? [] : [overdue === "true" ? isOverdue : sql`not ${isOverdue}`]),
    ...(currency === undefined ? [] : [sql`i.currency = ${currency}`]),
    ...(q === undefined
      ? []
      : [
          sql`(i.number ilike ${like} or i.external_id ilike ${like} or i.note ilike ${like} or c.name ilike ${like}
            or c.number ilike ${like})`
        ]),
    ...(before === undefined ? [] : [sql`i.seq < ${before}`])
  ])} order by i.seq desc limit ${limit}`
})

export interface Settlement {
  readonly payment_id: string
  readonly source: "bank" | "manual" | "card" | "wallet"
  readonly paid_on: string
  readonly amount: number
  readonly discount: number
  readonly state: "active" | "undone"
}

/** Payments of an invoice, oldest first. */
export const settlements = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Settlement>`select p.id as payment_id, p.source, p.paid_on::text as paid_on,
      a.amount::float8 as amount, a.discount::float8 as discount, p.state
    from bank_fetcher.payment_allocation a join bank_fetcher.payment p on p.id = a.payment_id
    where a.invoice_id = ${id}::uuid order by p.seq`
})
