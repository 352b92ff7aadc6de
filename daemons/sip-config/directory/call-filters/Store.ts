/**
 * Reads and writes call filters. Functions run in the surrounding transaction. Changes write audit entries and are
 * announced to the projections.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { changed, differences, inTurn } from "../Change.ts"

export interface Settings {
  readonly name: string
  readonly type: "blacklist" | "whitelist"
  /** Digits, `+`, `*` (any text) and `?` (one character); or `anonymous`. */
  readonly pattern: string
  readonly action: "reject"
  readonly enabled: boolean
}

export interface CallFilter extends Settings {
  readonly id: number
  readonly tenant_id: number
  readonly created_at: Date
  readonly updated_at: Date
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`id, tenant_id, name, type, pattern, action, enabled, created_at, updated_at`

export interface Filter {
  readonly tenant_id?: number
  readonly type?: Settings["type"]
}

/** Call filters, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (
  { tenant_id: tenant, type }: Filter,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<CallFilter>`select ${fields(sql)} from sip_config.call_filter where ${sql.and([
    sql`true`,
    ...(tenant === undefined ? [] : [sql`tenant_id = ${tenant}`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(before === undefined ? [] : [sql`id < ${before}`])
  ])} order by id desc limit ${limit}`
})

/** Call filter with this ID, or 404. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<CallFilter>`select ${fields(sql)} from sip_config.call_filter where id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The call filter does not exist." }))
})

const held = Effect.fnUntraced(function* (id: number) {
  yield* inTurn((yield* get(id)).tenant_id)
  return yield* get(id)
})

export const create = Effect.fnUntraced(function* (tenantId: number, filter: Settings) {
  const sql = yield* SqlClient.SqlClient
  yield* inTurn(tenantId)
  const [made] =
    yield* sql<CallFilter>`insert into sip_config.call_filter (tenant_id, name, type, pattern, action, enabled)
    values (${tenantId}, ${filter.name}, ${filter.type}, ${filter.pattern}, ${filter.action}, ${filter.enabled})
    returning ${fields(sql)}`
  yield* changed("sip_call_filter", made!, "created", { ...filter })
  return made!
})

/** Changes the given fields. */
export const update = Effect.fnUntraced(function* (id: number, to: Partial<Settings>) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* held(id)
  const after = { ...before, ...to }
  const found = differences(before, after, ["name", "type", "pattern", "action", "enabled"])
  if (found === undefined) return before
  const [row] = yield* sql<CallFilter>`update sip_config.call_filter
      set name = ${after.name}, type = ${after.type}, pattern = ${after.pattern},
    action = ${after.action}, enabled = ${after.enabled}, updated_at = now() where id = ${id} returning ${fields(sql)}`
  yield* changed("sip_call_filter", row!, "changed", found)
  return row!
})

export const remove = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* held(id)
  yield* sql`delete from sip_config.call_filter where id = ${id}`
  yield* changed("sip_call_filter", row, "deleted", { name: row.name, type: row.type, pattern: row.pattern })
})
