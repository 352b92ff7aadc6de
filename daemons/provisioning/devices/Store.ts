/** Table of devices. Functions run in the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Maximum number of devices in a list. */
const maxListed = 200

/** How long a revoked device is kept before it is deleted. Unit: days. Lists can include it until then. */
export const keptDays = 90

export interface Device {
  readonly id: string
  readonly tenant_id: number
  readonly user_id: number
  readonly token_id: number | null
  readonly name: string
  readonly features: ReadonlyArray<string>
  readonly client_ip: string
  readonly user_agent: string | null
  readonly session: string | null
  readonly mailbox: string | null
  readonly extension_id: number | null
  readonly created_at: Date
  readonly last_seen_at: Date | null
  readonly revoked_at: Date | null
  /** Other devices that know the password of the same extension. */
  readonly sharing: ReadonlyArray<{ readonly id: string; readonly name: string; readonly user_id: number }>
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`d.id::text as id, d.tenant_id, d.user_id, d.token_id, d.name, d.features, d.client_ip, d.user_agent, d.session,
    d.mailbox, d.extension_id, d.created_at, d.last_seen_at, d.revoked_at,
    case when d.revoked_at is null then coalesce((select jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name,
        'user_id', o.user_id) order by o.created_at)
      from provisioning.device o where o.extension_id = d.extension_id and o.tenant_id = d.tenant_id
        and o.revoked_at is null and o.id <> d.id), '[]') else '[]' end as sharing`

export interface NewDevice {
  readonly id: string
  readonly tenantId: number
  readonly userId: number
  readonly tokenId: number
  readonly name: string
  readonly features: ReadonlyArray<string>
  readonly clientIp: string
  readonly userAgent: string | null
  readonly session: string | null
  readonly mailbox: string | null
  readonly extensionId: number | null
}

export const add = Effect.fnUntraced(function* (made: NewDevice) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into provisioning.device (id, tenant_id, user_id, token_id, name, features, client_ip, user_agent,
      session, mailbox, extension_id)
    values (${made.id}::uuid, ${made.tenantId}, ${made.userId}, ${made.tokenId}, ${made.name},
      ${made.features}::text[], ${made.clientIp}, ${made.userAgent}, ${made.session}, ${made.mailbox},
      ${made.extensionId})`
})

export interface Filter {
  readonly tenant_id?: number | undefined
  readonly user_id?: number | undefined
  /** Include revoked devices. */
  readonly revoked: boolean
}

/**
 * Devices that match the filter, newest first. `only`: the one user whose devices the caller may see; undefined: all.
 */
export const list = Effect.fnUntraced(function* (
  { revoked, tenant_id: tenant, user_id: user }: Filter,
  only: number | undefined
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Device>`select ${fields(sql)} from provisioning.device d where ${sql.and([
    sql`true`,
    ...(revoked ? [] : [sql`d.revoked_at is null`]),
    ...(tenant === undefined ? [] : [sql`d.tenant_id = ${tenant}`]),
    ...(user === undefined ? [] : [sql`d.user_id = ${user}`]),
    ...(only === undefined ? [] : [sql`d.user_id = ${only}`])
  ])} order by d.created_at desc, d.id limit ${maxListed}`
})

/** The device with this id; undefined when there is none, or when it belongs to a user other than `only`. */
export const get = Effect.fnUntraced(function* (id: string, only: number | undefined) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Device>`select ${fields(sql)} from provisioning.device d
    where ${sql.and([sql`d.id = ${id}::uuid`, ...(only === undefined ? [] : [sql`d.user_id = ${only}`])])}`
  return row
})

/** Marks the device as revoked and returns the time; undefined when it was revoked before. */
export const revoke = Effect.fnUntraced(function* (id: string, actor: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    revoked_at: Date
  }>`update provisioning.device set revoked_at = now(), revoked_by = ${actor}
    where id = ${id}::uuid and revoked_at is null returning revoked_at`
  return row?.revoked_at
})

/** Records that the device of a session was in use. Writes at most once a minute. */
export const seen = Effect.fnUntraced(function* (session: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update provisioning.device set last_seen_at = date_trunc('minute', now())
    where session = ${session} and revoked_at is null
      and (last_seen_at is null or last_seen_at < date_trunc('minute', now()))`
})

/** Active devices of a user. */
export const activeOf = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Device>`select ${fields(sql)} from provisioning.device d
    where d.user_id = ${userId} and d.revoked_at is null`
})

/** Deletes all devices of a deleted user. */
export const removeOf = (userId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`delete from provisioning.device where user_id = ${userId}`)

/** Deletes devices that were revoked more than `keptDays` days ago; returns their number. */
export const prune = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql`delete from provisioning.device where revoked_at < now() - make_interval(days => ${keptDays}) returning 1`,
    (gone) => gone.length
  )
)
