/**
 * Reads and writes DIDs: the tenants' public numbers and their destinations. Functions run in the surrounding
 * transaction. Changes write audit entries and are announced to the projections.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Caller } from "#core/auth/Caller.ts"
import { NotFound } from "#core/http/Problem.ts"
import { mayAssert } from "#core/ownership/NameClaims.ts"
import { asPlatform } from "#core/sql/Sql.ts"
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
  /** Whether the tenant holds the number, so that the switch routes its calls. */
  readonly assigned: boolean
  readonly created_at: Date
  readonly updated_at: Date
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`id, tenant_id, number, name, trunk_id, destination_type, destination_id, assigned, created_at, updated_at`

export interface Filter {
  readonly tenant_id?: number
  readonly number?: string
  readonly trunk_id?: number
  readonly assigned?: boolean
}

/** DIDs, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (
  { assigned, number, tenant_id: tenant, trunk_id: trunk }: Filter,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Did>`select ${fields(sql)} from sip_config.did where ${sql.and([
    sql`true`,
    ...(tenant === undefined ? [] : [sql`tenant_id = ${tenant}`]),
    ...(number === undefined ? [] : [sql`number = ${number}`]),
    ...(trunk === undefined ? [] : [sql`trunk_id = ${trunk}`]),
    ...(assigned === undefined ? [] : [sql`assigned = ${assigned}`]),
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

/** Fails when another tenant holds the number. Looks at the rows of all tenants. */
const notHeld = (tenantId: number, number: string) =>
  asPlatform(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const held = yield* sql`select 1 from sip_config.did
        where number = ${number} and assigned and tenant_id <> ${tenantId}`
      if (held.length > 0) return yield* taken
    })
  )

/** Creates a DID. The number is assigned at once when the provider creates it, and pending otherwise. */
export const create = Effect.fnUntraced(function* (tenantId: number, did: Settings) {
  const sql = yield* SqlClient.SqlClient
  const assigned = mayAssert(yield* Caller)
  yield* inTurn(tenantId)
  yield* pointsAtOwn(tenantId, did)
  yield* notHeld(tenantId, did.number)
  const insert = sql<Did>`insert into sip_config.did
      (tenant_id, number, name, trunk_id, destination_type, destination_id, assigned)
    values (${tenantId}, ${did.number}, ${did.name}, ${did.trunk_id}, ${did.destination_type}, ${did.destination_id},
      ${assigned})
    returning ${fields(sql)}`
  const [made] = yield* orTaken(insert, taken)
  yield* changed("sip_did", made!, "created", { ...did, assigned })
  return made!
})

/**
 * The provider assigns the number to the tenant. Fails when another tenant holds it. `noted` completes a change with
 * its audit entry.
 */
export const assign = Effect.fnUntraced(function* <E, R>(id: number, noted: (did: Did) => Effect.Effect<void, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* held(id)
  if (before.assigned) return before
  const change = sql<Did>`update sip_config.did set assigned = true, updated_at = now() where id = ${id}
    returning ${fields(sql)}`
  const [row] = yield* orTaken(change, taken)
  yield* noted(row!)
  return row!
})

/** Changes the given fields. A new number is pending again, unless the provider sets it. */
export const update = Effect.fnUntraced(function* (id: number, to: Partial<Settings>) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* held(id)
  const after = { ...before, ...to }
  const found = differences(before, after, ["number", "name", "trunk_id", "destination_type", "destination_id"])
  if (found === undefined) return before
  yield* pointsAtOwn(before.tenant_id, after)
  if (after.number !== before.number) yield* notHeld(before.tenant_id, after.number)
  const assigned = after.number === before.number ? before.assigned : mayAssert(yield* Caller)
  const change = sql<Did>`update sip_config.did set number = ${after.number}, name = ${after.name},
    trunk_id = ${after.trunk_id}, destination_type = ${after.destination_type},
    destination_id = ${after.destination_id}, assigned = ${assigned}, updated_at = now() where id = ${id}
    returning ${fields(sql)}`
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

const taken = new NumberTaken({ detail: "The tenant has a DID with this number, or another tenant holds it." })
