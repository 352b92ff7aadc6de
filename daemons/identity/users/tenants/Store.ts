/**
 * Table of tenants. Functions run in the surrounding transaction: as platform, or as a tenant, which can only read its
 * own row. Every change emits an event.
 */
import { Effect } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { TenantChanged, TenantCreated } from "#core/contracts/Identity.ts"
import { Events } from "#core/events/Events.ts"
import { source } from "../Accounts.ts"
import { TenantNameTaken } from "../Errors.ts"

export interface Tenant {
  readonly id: number
  readonly name: string
  readonly state: "active" | "suspended"
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const fields = (sql: SqlClient.SqlClient) => sql`id, name, state, version, created_at, updated_at`

/** Finds a tenant by id. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Tenant>`select ${fields(sql)} from identity.tenant where id = ${id}`
  return row
})

/** Tenants with an id below `before`, newest first. */
export const list = Effect.fnUntraced(function* (limit: number, before?: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Tenant>`select ${fields(sql)} from identity.tenant
    where ${before === undefined ? sql`true` : sql`id < ${before}`} order by id desc limit ${limit}`
})

/** Creates a tenant. Fails when the name is taken. */
export const create = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Tenant>`insert into identity.tenant (name) values (${name})
    on conflict (lower(name)) do nothing returning ${fields(sql)}`
  if (row === undefined) return yield* nameTaken
  yield* emitTenant(TenantCreated, row)
  return row
})

/** Changes the given fields. Returns undefined when the tenant does not exist. */
export const change = Effect.fnUntraced(function* (
  id: number,
  to: { readonly name?: string; readonly state?: Tenant["state"] }
) {
  const sql = yield* SqlClient.SqlClient
  const update = sql<Tenant>`update identity.tenant set
      name = coalesce(${to.name ?? null}, name), state = coalesce(${to.state ?? null}, state),
      version = version + 1, updated_at = now()
    where id = ${id} returning ${fields(sql)}`
  const [row] = yield* Effect.catchIf(update, isUniqueViolation, () => nameTaken)
  if (row !== undefined) yield* emitTenant(TenantChanged, row)
  return row
})

const nameTaken = new TenantNameTaken({ detail: "Choose another name." })

const isUniqueViolation = (error: unknown): boolean =>
  SqlError.isSqlError(error) && error.reason._tag === "UniqueViolation"

/** The tenant in the form of events. */
export const tenantOf = ({ id, name, state, version }: Tenant): typeof TenantChanged.data.Type => ({
  tenant_id: id,
  name,
  state,
  version
})

const emitTenant = (event: typeof TenantCreated, tenant: Tenant) =>
  Effect.flatMap(Events, (events) => events.emit(event, source, tenantOf(tenant), { tenantId: tenant.id }))
