/**
 * Reads and writes external numbers to which calls may be forwarded. Functions run in the surrounding transaction.
 * Changes write audit entries and are announced to the projections.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { NumberTaken } from "../Errors.ts"
import { changed, differences, inTurn, orTaken } from "../Change.ts"
import { notLedTo } from "../Uses.ts"

export interface Settings {
  /** In E.164 format, with the plus. */
  readonly number: string
  readonly name: string
}

export interface ExternalNumber extends Settings {
  readonly id: number
  readonly tenant_id: number
  readonly created_at: Date
  readonly updated_at: Date
}

const fields = (sql: SqlClient.SqlClient) => sql`id, tenant_id, number, name, created_at, updated_at`

export interface Filter {
  readonly tenant_id?: number
  readonly number?: string
}

/** External numbers, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (
  { number, tenant_id: tenant }: Filter,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<ExternalNumber>`select ${fields(sql)} from sip_config.external_number where ${sql.and([
    sql`true`,
    ...(tenant === undefined ? [] : [sql`tenant_id = ${tenant}`]),
    ...(number === undefined ? [] : [sql`number = ${number}`]),
    ...(before === undefined ? [] : [sql`id < ${before}`])
  ])} order by id desc limit ${limit}`
})

/** External number with this ID, or 404. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<ExternalNumber>`select ${fields(sql)} from sip_config.external_number where id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The external number does not exist." }))
})

const held = Effect.fnUntraced(function* (id: number) {
  yield* inTurn((yield* get(id)).tenant_id)
  return yield* get(id)
})

export const create = Effect.fnUntraced(function* (tenantId: number, external: Settings) {
  const sql = yield* SqlClient.SqlClient
  yield* inTurn(tenantId)
  const [made] = yield* orTaken(
    sql<ExternalNumber>`insert into sip_config.external_number (tenant_id, number, name)
    values (${tenantId}, ${external.number}, ${external.name}) returning ${fields(sql)}`,
    taken
  )
  yield* changed("sip_external_number", made!, "created", { ...external })
  return made!
})

/** Changes the given fields. */
export const update = Effect.fnUntraced(function* (id: number, to: Partial<Settings>) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* held(id)
  const after = { ...before, ...to }
  const found = differences(before, after, ["number", "name"])
  if (found === undefined) return before
  const change = sql<ExternalNumber>`update sip_config.external_number
    set number = ${after.number}, name = ${after.name},
    updated_at = now() where id = ${id} returning ${fields(sql)}`
  const [row] = yield* orTaken(change, taken)
  yield* changed("sip_external_number", row!, "changed", found)
  return row!
})

/** Deletes an external number; 409 while a DID or menu leads to it. */
export const remove = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* held(id)
  yield* notLedTo("external", row)
  yield* sql`delete from sip_config.external_number where id = ${id}`
  yield* changed("sip_external_number", row, "deleted", { number: row.number })
})

const taken = new NumberTaken({ detail: "An external number with this number exists already." })
