/**
 * Reads and writes DIDs: the tenants' public numbers and their destinations. Functions run in the surrounding
 * transaction. Changes write audit entries and are announced to the projections.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { NumberTaken } from "../Errors.ts"
import { changed, differences, inTurn, orTaken } from "../Change.ts"
import { type DestinationType, led, owned } from "../Destinations.ts"
import { noLine } from "../Uses.ts"

export interface Settings {
  /** In E.164 format, with the plus. */
  readonly number: string
  readonly name: string
  readonly trunk_id: number | null
  readonly destination_type: DestinationType
  readonly destination_id: number
}

export interface Did extends Settings {
  readonly id: number
  readonly tenant_id: number
  readonly created_at: Date
  readonly updated_at: Date
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`id, tenant_id, number, name, trunk_id, destination_type, destination_id, created_at, updated_at`

export interface Filter {
  readonly tenant_id?: number
  readonly number?: string
  readonly trunk_id?: number
}

/** DIDs, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (
  { number, tenant_id: tenant, trunk_id: trunk }: Filter,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Did>`select ${fields(sql)} from sip_config.did where ${sql.and([
    sql`true`,
    ...(tenant === undefined ? [] : [sql`tenant_id = ${tenant}`]),
    ...(number === undefined ? [] : [sql`number = ${number}`]),
    ...(trunk === undefined ? [] : [sql`trunk_id = ${trunk}`]),
    ...(before === undefined ? [] : [sql`id < ${before}`])
  ])} order by id desc limit ${limit}`
})

/** DID with this ID, or 404. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Did>`select ${fields(sql)} from sip_config.did where id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The DID does not exist." }))
})

const held = Effect.fnUntraced(function* (id: number) {
  yield* inTurn((yield* get(id)).tenant_id)
  return yield* get(id)
})

const pointsAtOwn = Effect.fnUntraced(function* (tenantId: number, did: Settings) {
  if (did.trunk_id !== null) yield* owned(tenantId, "trunk", did.trunk_id, "payload.trunk_id")
  yield* led(tenantId, did.destination_type, did.destination_id)
})

export const create = Effect.fnUntraced(function* (tenantId: number, did: Settings) {
  const sql = yield* SqlClient.SqlClient
  yield* inTurn(tenantId)
  yield* pointsAtOwn(tenantId, did)
  const insert = sql<Did>`insert into sip_config.did
      (tenant_id, number, name, trunk_id, destination_type, destination_id)
    values (${tenantId}, ${did.number}, ${did.name}, ${did.trunk_id}, ${did.destination_type}, ${did.destination_id})
    returning ${fields(sql)}`
  const [made] = yield* orTaken(insert, taken)
  yield* changed("sip_did", made!, "created", { ...did })
  return made!
})

/** Changes the given fields. */
export const update = Effect.fnUntraced(function* (id: number, to: Partial<Settings>) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* held(id)
  const after = { ...before, ...to }
  const found = differences(before, after, ["number", "name", "trunk_id", "destination_type", "destination_id"])
  if (found === undefined) return before
  yield* pointsAtOwn(before.tenant_id, after)
  const change = sql<Did>`update sip_config.did set number = ${after.number}, name = ${after.name},
    trunk_id = ${after.trunk_id}, destination_type = ${after.destination_type},
    destination_id = ${after.destination_id}, updated_at = now() where id = ${id} returning ${fields(sql)}`
  const [row] = yield* orTaken(change, taken)
  yield* changed("sip_did", row!, "changed", found)
  return row!
})

/** Deletes a DID; 409 while a line uses it as caller ID. */
export const remove = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* held(id)
  yield* noLine("did_id", row)
  yield* sql`delete from sip_config.did where id = ${id}`
  yield* changed("sip_did", row, "deleted", { number: row.number })
})

const taken = new NumberTaken({ detail: "A DID with this number exists already." })
