/**
 * Reads and writes lines. A line connects an extension to a trunk for outbound calls, and names the DID to show.
 * Functions run in the surrounding transaction. Changes write audit entries and are announced to the projections.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { changed, differences, inTurn } from "../Change.ts"
import { owned } from "../Destinations.ts"

export interface Settings {
  readonly extension_id: number
  readonly did_id: number | null
  readonly trunk_id: number
  /** Lines with lower values are tried first. */
  readonly priority: number
}

export interface Line extends Settings {
  readonly id: number
  readonly tenant_id: number
  readonly created_at: Date
  readonly updated_at: Date
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`id, tenant_id, extension_id, did_id, trunk_id, priority, created_at, updated_at`

export interface Filter {
  readonly tenant_id?: number
  readonly extension_id?: number
  readonly did_id?: number
  readonly trunk_id?: number
}

/** Lines, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (filter: Filter, before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const { did_id: did, extension_id: extension, tenant_id: tenant, trunk_id: trunk } = filter
  return yield* sql<Line>`select ${fields(sql)} from sip_config.line where ${sql.and([
    sql`true`,
    ...(tenant === undefined ? [] : [sql`tenant_id = ${tenant}`]),
    ...(extension === undefined ? [] : [sql`extension_id = ${extension}`]),
    ...(did === undefined ? [] : [sql`did_id = ${did}`]),
    ...(trunk === undefined ? [] : [sql`trunk_id = ${trunk}`]),
    ...(before === undefined ? [] : [sql`id < ${before}`])
  ])} order by id desc limit ${limit}`
})

/** Line with this ID, or 404. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Line>`select ${fields(sql)} from sip_config.line where id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The line does not exist." }))
})

const held = Effect.fnUntraced(function* (id: number) {
  yield* inTurn((yield* get(id)).tenant_id)
  return yield* get(id)
})

const joinsOwn = Effect.fnUntraced(function* (tenantId: number, line: Settings) {
  yield* owned(tenantId, "extension", line.extension_id, "payload.extension_id")
  if (line.did_id !== null) yield* owned(tenantId, "did", line.did_id, "payload.did_id")
  yield* owned(tenantId, "trunk", line.trunk_id, "payload.trunk_id")
})

export const create = Effect.fnUntraced(function* (tenantId: number, line: Settings) {
  const sql = yield* SqlClient.SqlClient
  yield* inTurn(tenantId)
  yield* joinsOwn(tenantId, line)
  const [made] = yield* sql<Line>`insert into sip_config.line (tenant_id, extension_id, did_id, trunk_id, priority)
    values (${tenantId}, ${line.extension_id}, ${line.did_id}, ${line.trunk_id}, ${line.priority})
    returning ${fields(sql)}`
  yield* changed("sip_line", made!, "created", { ...line })
  return made!
})

/** Changes the given fields. */
export const update = Effect.fnUntraced(function* (id: number, to: Partial<Settings>) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* held(id)
  const after = { ...before, ...to }
  const found = differences(before, after, ["extension_id", "did_id", "trunk_id", "priority"])
  if (found === undefined) return before
  yield* joinsOwn(before.tenant_id, after)
  const [row] =
    yield* sql<Line>`update sip_config.line set extension_id = ${after.extension_id}, did_id = ${after.did_id},
    trunk_id = ${after.trunk_id}, priority = ${after.priority}, updated_at = now() where id = ${id}
    returning ${fields(sql)}`
  yield* changed("sip_line", row!, "changed", found)
  return row!
})

export const remove = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const { did_id, extension_id, trunk_id, ...row } = yield* held(id)
  yield* sql`delete from sip_config.line where id = ${id}`
  yield* changed("sip_line", row, "deleted", { extension_id, did_id, trunk_id })
})
