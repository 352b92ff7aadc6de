/** Reads and writes the IBANs of customers. In the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Audit from "#core/log/Audit.ts"
import { InvalidRequest, NotFound } from "#core/http/Problem.ts"
import { beginningWith, containing } from "#core/sql/Like.ts"
import type { Author } from "../Author.ts"
import { requestReconcile } from "../../bank-store/ReconcileRequest.ts"
import { maxIbans } from "./Fields.ts"

export interface Customer {
  readonly customer_id: number
  readonly tenant_id: number
  readonly number: string
  readonly name: string
  readonly ibans: ReadonlyArray<string>
}

export interface Filter {
  readonly tenant_id?: number
  /** Part of the name or customer number, in any letter case; or the beginning of an IBAN. */
  readonly q?: string
}

const fields = (sql: SqlClient.SqlClient) => sql`c.customer_id, c.tenant_id, c.number, c.name,
  array(select i.iban from bank_fetcher.customer_iban i
    where i.tenant_id = c.tenant_id and i.customer_id = c.customer_id order by i.iban) as ibans`

/** Customers, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (
  { q, tenant_id: tenant }: Filter,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  const like = containing(q ?? "")
  const begin = beginningWith((q ?? "").replace(/\s/g, "").toUpperCase())
  return yield* sql<Customer>`select ${fields(sql)} from bank_fetcher.customer c where ${sql.and([
    sql`c.state = 'active'`,
    ...(tenant === undefined ? [] : [sql`c.tenant_id = ${tenant}`]),
    ...(q === undefined
      ? []
      : [
          sql`(c.name ilike ${like} or c.number ilike ${like} or exists (select 1 from bank_fetcher.customer_iban i
            where i.tenant_id = c.tenant_id and i.customer_id = c.customer_id and i.iban like ${begin}))`
        ]),
    ...(before === undefined ? [] : [sql`c.customer_id < ${before}`])
  ])} order by c.customer_id desc limit ${limit}`
})

/** Customer with this id, or 404. */
export const get = Effect.fnUntraced(function* (customerId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Customer>`select ${fields(sql)} from bank_fetcher.customer c
    where c.customer_id = ${customerId} and c.state = 'active'`
  return row ?? (yield* new NotFound({ detail: "The customer does not exist." }))
})

/** The customer, locked against concurrent changes of its IBANs and against its deletion. */
const locked = Effect.fnUntraced(function* (customerId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select 1 from bank_fetcher.customer where customer_id = ${customerId} for update`
  return yield* get(customerId)
})

/** Replaces the IBANs of a customer. They are normalised. */
export const replace = Effect.fnUntraced(function* (customerId: number, ibans: ReadonlyArray<string>, author: Author) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* locked(customerId)
  const wanted = [...new Set(ibans)].sort()
  if (wanted.join() === before.ibans.join()) return before
  const { tenant_id: tenantId } = before
  yield* sql`delete from bank_fetcher.customer_iban
    where tenant_id = ${tenantId} and customer_id = ${customerId} and iban <> all(${wanted}::text[])`
  yield* sql`insert into bank_fetcher.customer_iban (tenant_id, customer_id, iban)
    select ${tenantId}::int, ${customerId}::int, iban from unnest(${wanted}::text[]) as t (iban) on conflict do nothing`
  // Without the IBANs themselves: the log outlives the customer.
  yield* Audit.write({
    tenantId,
    ...author,
    action: "customer_ibans.changed",
    entity: "customer",
    id: String(customerId),
    detail: { before: before.ibans.length, after: wanted.length }
  })
  yield* requestReconcile(tenantId)
  return { ...before, ibans: wanted }
})

/** Adds an IBAN to a customer; 422 when it has too many. */
export const addIban = Effect.fnUntraced(function* (customerId: number, iban: string, author: Author) {
  const { ibans } = yield* locked(customerId)
  if (!ibans.includes(iban) && ibans.length >= maxIbans)
    return yield* new InvalidRequest({
      errors: [{ field: "payload.iban", message: `the customer has ${maxIbans} IBANs already` }]
    })
  return yield* replace(customerId, [...ibans, iban], author)
})
