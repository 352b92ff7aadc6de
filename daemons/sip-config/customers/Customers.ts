/**
 * Reads and writes customers. Functions run in the surrounding transaction with its role. Every change also writes its
 * event and its audit entry.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { containing } from "#core/sql/Like.ts"
import { tail } from "../directory/Exports.ts"
import { type Author, type Customer, tell } from "./CustomerTelling.ts"
import { CustomerNumberTaken } from "./Errors.ts"
import { defaultLocale } from "./Fields.ts"
import type { Normalised } from "./Normalise.ts"

const fields = (sql: SqlClient.SqlClient) =>
  sql`c.id, c.tenant_id, c.number, c.name, c.locale, c.email, c.version, c.created_at, c.updated_at,
    coalesce((select array_agg(p.phone order by p.id) from sip_config.customer_phone p
    where p.customer_id = c.id), '{}') as phones`

export interface Filter {
  readonly tenant_id?: number
  /** Exact customer number. */
  readonly number?: string
  /** Telephone number, compared by its last ten digits. */
  readonly phone?: string
  /** Part of the name or customer number, in any letter case; or a telephone number. */
  readonly q?: string
}

/** Customers, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (
  { number, phone, q, tenant_id: tenant }: Filter,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  const called = (spelling: string) =>
    sql`exists (select 1 from sip_config.customer_phone p
      where p.customer_id = c.id and p.tail = ${tail(spelling) ?? ""})`
  const like = containing(q ?? "")
  return yield* sql<Customer>`select ${fields(sql)} from sip_config.customer c where ${sql.and([
    sql`true`,
    ...(tenant === undefined ? [] : [sql`c.tenant_id = ${tenant}`]),
    ...(number === undefined ? [] : [sql`c.number = ${number}`]),
    ...(phone === undefined ? [] : [called(phone)]),
    ...(q === undefined
      ? []
      : [sql`(c.name ilike ${like} or c.number ilike ${like} or ${looksDialled(q) ? called(q) : sql`false`})`]),
    ...(before === undefined ? [] : [sql`c.id < ${before}`])
  ])} order by c.id desc limit ${limit}`
})

const looksDialled = (text: string): boolean => /^[+\d(][\d\s()/.-]*$/.test(text)

/** Customer with this ID, or 404. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Customer>`select ${fields(sql)} from sip_config.customer c where c.id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The customer does not exist." }))
})

/** Customer with this ID, locked until the transaction ends; 404 when missing. */
const held = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select 1 from sip_config.customer where id = ${id} for update`
  return yield* get(id)
})

const byNumber = Effect.fnUntraced(function* (tenantId: number, number: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    id: number
  }>`select id from sip_config.customer where tenant_id = ${tenantId} and number = ${number} for update`
  return row?.id
})

/** Normalised fields of a new customer. */
export type NewCustomer = Normalised & Required<Pick<Normalised, "number" | "name">>

/** Creates a customer; 409 when the customer number is taken. */
export const create = Effect.fnUntraced(function* (tenantId: number, customer: NewCustomer, author: Author) {
  const made = yield* insert(tenantId, customer, author)
  return (
    made ??
    (yield* new CustomerNumberTaken({
      customer_id: (yield* byNumber(tenantId, customer.number)) ?? 0,
      detail: "Choose another number."
    }))
  )
})

const insert = Effect.fnUntraced(function* (
  tenantId: number,
  { email, locale, name, number, phones }: NewCustomer,
  author: Author
) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ id: number }>`insert into sip_config.customer (tenant_id, number, name, locale, email)
    values (${tenantId}, ${number}, ${name}, ${locale ?? defaultLocale}, ${email ?? null}) on conflict do nothing
    returning id`
  if (row === undefined) return undefined
  yield* writePhones(row.id, tenantId, phones ?? [])
  // The row was just inserted in this transaction, so a 404 is a defect.
  const made = yield* Effect.orDie(get(row.id))
  yield* tell("created", made, { number }, author)
  return made
})

/** Changes the given fields; 409 when the new customer number is taken. */
export const update = (id: number, to: Normalised, author: Author) =>
  Effect.flatMap(held(id), (before) => changeTo(before, to, author))

const changeTo = Effect.fnUntraced(function* (before: Customer, to: Normalised, author: Author) {
  const sql = yield* SqlClient.SqlClient
  const after = { ...before, ...to }
  const changed = (["number", "name", "locale", "email", "phones"] as const).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field])
  )
  if (changed.length === 0) return before
  if (after.number !== before.number) {
    const taken = yield* byNumber(before.tenant_id, after.number)
    if (taken !== undefined)
      return yield* new CustomerNumberTaken({ customer_id: taken, detail: "Choose another number." })
  }
  yield* sql`update sip_config.customer set number = ${after.number}, name = ${after.name}, locale = ${after.locale},
    email = ${after.email}, version = nextval('sip_config.customer_version'), updated_at = now()
    where id = ${before.id}`
  if (changed.includes("phones")) {
    yield* sql`delete from sip_config.customer_phone where customer_id = ${before.id}`
    yield* writePhones(before.id, before.tenant_id, after.phones)
  }
  const now = yield* Effect.orDie(get(before.id))
  yield* tell("changed", now, { number: now.number, fields: changed }, author)
  return now
})

export const remove = Effect.fnUntraced(function* (id: number, author: Author) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* held(id)
  const [next] = yield* sql<{ version: number }>`select nextval('sip_config.customer_version')::int as version`
  yield* sql`delete from sip_config.customer where id = ${id}`
  yield* tell("deleted", { ...row, version: next!.version }, { number: row.number }, author)
})

/**
 * Creates the customer with this number or updates it, and returns what happened. Concurrent calls for the same number
 * wait for each other.
 */
export const put = Effect.fnUntraced(function* (tenantId: number, customer: NewCustomer, author: Author) {
  if ((yield* insert(tenantId, customer, author)) !== undefined) return "created"
  const there = yield* byNumber(tenantId, customer.number)
  // The customer was deleted between the two statements.
  if (there === undefined) return yield* Effect.as(insert(tenantId, customer, author), "created" as const)
  const before = yield* Effect.orDie(get(there))
  // The customer number stays the same, so it cannot conflict.
  const after = yield* Effect.orDie(changeTo(before, customer, author))
  return after === before ? "unchanged" : "changed"
})

const writePhones = Effect.fnUntraced(function* (customerId: number, tenantId: number, phones: ReadonlyArray<string>) {
  if (phones.length === 0) return
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into sip_config.customer_phone (tenant_id, customer_id, phone, tail)
    select ${tenantId}::int, ${customerId}::int, phone, tail
    from unnest(${phones}::text[], ${phones.map((phone) => tail(phone) ?? "")}::text[]) as t (phone, tail)`
})
