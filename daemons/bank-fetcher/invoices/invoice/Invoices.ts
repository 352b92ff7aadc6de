/**
 * Reads and writes invoices. Functions run in the surrounding transaction with its role. Every change also writes its
 * audit entry. The caller requests the decision about open transactions (`requestReconcile`), once a transaction.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Audit from "#core/log/Audit.ts"
import { NotFound } from "#core/http/Problem.ts"
import type { Author } from "../Author.ts"
import { ExternalIdTaken, InvoiceCancelled, InvoiceNumberTaken, InvoiceSettled } from "../Errors.ts"
import { sameTenant } from "../Requests.ts"
import { statusOf, type Status } from "../payment/Settlement.ts"
import type { Stored } from "./Normalise.ts"

export interface Invoice extends Stored {
  readonly id: string
  readonly seq: number
  readonly tenant_id: number
  readonly external_id: string | null
  readonly settled: number
  readonly discounted: number
  readonly status: Status
  readonly customer_number: string | null
  readonly customer_name: string | null
  readonly overdue: boolean
  readonly created_at: Date
  readonly updated_at: Date
}

/** Columns of an invoice `i` with its customer `c`. */
export const columns = (sql: SqlClient.SqlClient) => sql`i.id, i.seq, i.tenant_id, i.customer_id, i.external_id,
  i.number, i.amount::float8 as amount, i.settled::float8 as settled, i.discounted::float8 as discounted, i.currency,
  i.issued_on::text as issued_on, i.due_on::text as due_on, i.discount_until::text as discount_until,
  i.discount_amount::float8 as discount_amount, i.status, i.note, i.created_at, i.updated_at,
  c.number as customer_number, c.name as customer_name,
  i.status in ('open', 'partial') and i.amount > 0 and i.due_on < current_date as overdue`

export const joined = (sql: SqlClient.SqlClient) => sql`bank_fetcher.invoice i left join bank_fetcher.customer c
  on c.customer_id = i.customer_id and c.tenant_id = i.tenant_id and c.state = 'active'`

const one = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Invoice>`select ${columns(sql)} from ${joined(sql)} where i.id = ${id}::uuid`
  return row
})

/** Invoice with this id, or 404. */
export const get = Effect.fnUntraced(function* (id: string) {
  return (yield* one(id)) ?? (yield* new NotFound({ detail: "The invoice does not exist." }))
})

/** Invoice with this id, locked until the transaction ends; 404 when missing. */
const locked = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select 1 from bank_fetcher.invoice where id = ${id}::uuid for update`
  return yield* get(id)
})

const idOf = Effect.fnUntraced(function* (tenantId: number, column: "number" | "external_id", value: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ id: string }>`select id from bank_fetcher.invoice
    where tenant_id = ${tenantId} and ${sql(column)} = ${value} for update`
  return row?.id
})

const tell = (action: string, { id, tenant_id: tenantId }: Invoice, author: Author, detail: Audit.Entry["detail"]) =>
  Audit.write({ tenantId, ...author, action: `invoice.${action}`, entity: "invoice", id, detail: detail ?? {} })

const insert = Effect.fnUntraced(function* (
  tenantId: number,
  externalId: string | null,
  { amount, ...to }: Stored,
  author: Author
) {
  const sql = yield* SqlClient.SqlClient
  yield* sameTenant(tenantId, to.customer_id)
  const [row] = yield* sql<{ id: string }>`insert into bank_fetcher.invoice (tenant_id, customer_id, external_id,
      number, kind, amount, currency, issued_on, due_on, discount_until, discount_amount, note)
    values (${tenantId}, ${to.customer_id}, ${externalId}, ${to.number}, ${kindOf(amount)}, ${amount}, ${to.currency},
      ${to.issued_on}::date, ${to.due_on}::date, ${to.discount_until}::date, ${to.discount_amount}, ${to.note})
    on conflict do nothing returning id`
  if (row === undefined) return undefined
  // The row was just inserted in this transaction, so a 404 is a defect.
  const made = yield* Effect.orDie(get(row.id))
  yield* tell("created", made, author, { number: made.number })
  return made
})

export const kindOf = (amount: number) => (amount < 0 ? "credit_note" : "invoice")

/** Creates an invoice; 409 when its number or its external id is taken. */
export const create = Effect.fnUntraced(function* (
  tenantId: number,
  externalId: string | null,
  to: Stored,
  author: Author
) {
  const made = yield* insert(tenantId, externalId, to, author)
  if (made !== undefined) return made
  const same = externalId === null ? undefined : yield* idOf(tenantId, "external_id", externalId)
  if (same !== undefined) return yield* new ExternalIdTaken({ id: same })
  return yield* numberTaken((yield* idOf(tenantId, "number", to.number)) ?? "")
})

const numberTaken = (id: string) => new InvoiceNumberTaken({ invoice_id: id, detail: "Choose another number." })

const compared = [
  "number",
  "customer_id",
  "amount",
  "currency",
  "issued_on",
  "due_on",
  "discount_until",
  "discount_amount",
  "note"
] as const

/** Changes an invoice to what `decide` makes of it. */
export const update = <E, R>(id: string, decide: (before: Invoice) => Effect.Effect<Stored, E, R>, author: Author) =>
  Effect.flatMap(locked(id), (before) =>
    Effect.flatMap(decide(before), (to) => changeTo(before, before.external_id, to, author))
  )

/** True when what was settled allows the new amount and currency. Pure. */
export const isSettleable = ({ currency, settled }: Invoice, to: Stored): boolean =>
  settled === 0 ||
  (to.currency === currency && Math.sign(to.amount) === Math.sign(settled) && Math.abs(to.amount) >= Math.abs(settled))

const changeTo = Effect.fnUntraced(function* (before: Invoice, externalId: string | null, to: Stored, author: Author) {
  const sql = yield* SqlClient.SqlClient
  const fields: ReadonlyArray<string> = [
    ...compared.filter((field) => before[field] !== to[field]),
    ...(before.external_id === externalId ? [] : ["external_id"])
  ]
  if (fields.length === 0) return before
  if (before.status === "cancelled" && fields.some((field) => field !== "note"))
    return yield* new InvoiceCancelled({ detail: "Only its note can be changed." })
  if (!isSettleable(before, to)) return yield* new InvoiceSettled({ detail: "Undo its payments first." })
  if (to.number !== before.number) {
    const taken = yield* idOf(before.tenant_id, "number", to.number)
    if (taken !== undefined) return yield* numberTaken(taken)
  }
  if (to.customer_id !== before.customer_id) yield* sameTenant(before.tenant_id, to.customer_id)
  const isCancelled = before.status === "cancelled"
  const status = statusOf({ amount: to.amount, settled: before.settled, isCancelled })
  yield* sql`update bank_fetcher.invoice set number = ${to.number}, customer_id = ${to.customer_id},
      external_id = ${externalId}, kind = ${kindOf(to.amount)}, amount = ${to.amount}, currency = ${to.currency},
      issued_on = ${to.issued_on}::date, due_on = ${to.due_on}::date, discount_until = ${to.discount_until}::date,
      discount_amount = ${to.discount_amount}, note = ${to.note}, status = ${status}, updated_at = now()
    where id = ${before.id}::uuid`
  const after = yield* Effect.orDie(get(before.id))
  yield* tell("changed", after, author, { number: after.number, fields })
  return after
})

/**
 * Creates the invoice with this external id or changes it, and answers what happened. Without an external id, the
 * number identifies the invoice. Concurrent calls for the same invoice wait for each other.
 */
export const put = Effect.fnUntraced(function* (
  tenantId: number,
  externalId: string | null,
  to: Stored,
  author: Author
) {
  const known = Effect.gen(function* () {
    if (externalId === null) return yield* idOf(tenantId, "number", to.number)
    return yield* idOf(tenantId, "external_id", externalId)
  })
  const there = yield* known
  if (there === undefined) {
    const made = yield* insert(tenantId, externalId, to, author)
    if (made !== undefined) return { outcome: "created" as const, invoice: made }
  }
  // Another transaction has created it since the first look.
  const id = there ?? (yield* known)
  if (id === undefined) return yield* numberTaken((yield* idOf(tenantId, "number", to.number)) ?? "")
  const before = yield* Effect.orDie(get(id))
  const after = yield* changeTo(before, before.external_id, to, author)
  return { outcome: after === before ? ("unchanged" as const) : ("changed" as const), invoice: after }
})

/** Cancels an invoice that nothing settles; a cancelled one stays as it is. */
export const cancel = Effect.fnUntraced(function* (id: string, author: Author) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* locked(id)
  if (before.status === "cancelled") return before
  if (before.settled !== 0) return yield* new InvoiceSettled({ detail: "Undo its payments first." })
  yield* sql`update bank_fetcher.invoice set status = 'cancelled', updated_at = now() where id = ${id}::uuid`
  const after = yield* Effect.orDie(get(id))
  yield* tell("cancelled", after, author, { number: after.number })
  return after
})

/** Deletes an invoice that no payment ever named; returns it. */
export const remove = Effect.fnUntraced(function* (id: string, author: Author) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* locked(id)
  const paid = yield* sql`select 1 from bank_fetcher.payment_allocation where invoice_id = ${id}::uuid limit 1`
  if (paid.length > 0) return yield* new InvoiceSettled({ detail: "Cancel it instead." })
  yield* sql`delete from bank_fetcher.invoice where id = ${id}::uuid`
  yield* tell("deleted", before, author, { number: before.number })
  return before
})
