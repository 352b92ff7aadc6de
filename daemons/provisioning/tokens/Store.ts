/**
 * Table of client tokens. Functions run in the surrounding transaction with its role.
 *
 * Using a token has two steps, because the credentials of the device are asked for in between, with no transaction
 * open. `hold` reserves the token for one set-up, so that of simultaneous requests one continues. `use` completes it,
 * `release` gives the token back. A set-up whose process died is abandoned after `holdSeconds`.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { TokenState } from "./TokenState.ts"

/**
 * Maximum duration of a set-up. Unit: seconds. Reason: several times the wait for the daemons that issue credentials.
 */
const holdSeconds = 30

/**
 * How long a used, revoked or expired token is kept before it is deleted. Unit: days. Lists can include it until then.
 */
export const keptDays = 90

export interface Token {
  readonly id: number
  readonly tenant_id: number
  readonly user_id: number
  readonly prefix: string
  readonly label: string | null
  readonly created_by: string
  readonly created_at: Date
  readonly expires_at: Date
  readonly used_at: Date | null
  readonly revoked_at: Date | null
  readonly device_id: string | null
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`id, tenant_id, user_id, prefix, label, created_by, created_at, expires_at, used_at, revoked_at,
    device_id::text as device_id`

const unused = (sql: SqlClient.SqlClient) => sql`used_at is null and revoked_at is null and expires_at > now()`

export interface NewToken {
  readonly tenantId: number
  readonly userId: number
  readonly prefix: string
  readonly hash: Uint8Array
  readonly label: string | null
  readonly createdBy: string
  readonly days: number
}

export const add = Effect.fnUntraced(function* (made: NewToken) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Token>`insert into provisioning.client_token
      (tenant_id, user_id, prefix, hash, label, created_by, expires_at)
    values (${made.tenantId}, ${made.userId}, ${made.prefix}, ${made.hash}, ${made.label}, ${made.createdBy},
      now() + make_interval(days => ${made.days}))
    returning ${fields(sql)}`
  return row!
})

/** Serialises the creation of tokens of a user, and returns the number of unused ones. */
export const countUnused = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select pg_advisory_xact_lock(hashtext('provisioning.client_token'), ${userId})`
  const [row] = yield* sql<{ n: number }>`select count(*)::int as n from provisioning.client_token
    where user_id = ${userId} and ${unused(sql)}`
  return row!.n
})

export interface Filter {
  readonly tenant_id?: number | undefined
  readonly user_id?: number | undefined
  readonly state?: TokenState | undefined
}

const inState = (sql: SqlClient.SqlClient, state: TokenState) => {
  switch (state) {
    case "used":
      return sql`used_at is not null`
    case "revoked":
      return sql`used_at is null and revoked_at is not null`
    case "expired":
      return sql`used_at is null and revoked_at is null and expires_at <= now()`
    case "unused":
      return unused(sql)
  }
}

/**
 * Tokens that match the filter, newest first, at most `limit`. `only`: the one user whose tokens the caller may see;
 * undefined: all.
 */
export const list = Effect.fnUntraced(function* (
  { state, tenant_id: tenant, user_id: user }: Filter,
  only: number | undefined,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Token>`select ${fields(sql)} from provisioning.client_token where ${sql.and([
    sql`true`,
    ...(tenant === undefined ? [] : [sql`tenant_id = ${tenant}`]),
    ...(user === undefined ? [] : [sql`user_id = ${user}`]),
    ...(only === undefined ? [] : [sql`user_id = ${only}`]),
    ...(state === undefined ? [] : [inState(sql, state)]),
    ...(before === undefined ? [] : [sql`id < ${before}`])
  ])} order by id desc limit ${limit}`
})

/**
 * Revokes an unused or expired token and returns it; undefined when there is none, or when it belongs to a user other
 * than `only`.
 */
export const revoke = Effect.fnUntraced(function* (id: number, only: number | undefined) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Token>`update provisioning.client_token set revoked_at = now()
    where ${sql.and([
      sql`id = ${id} and used_at is null and revoked_at is null`,
      ...(only === undefined ? [] : [sql`user_id = ${only}`])
    ])} returning ${fields(sql)}`
  return row
})

/** Reserves the unused token for the set-up of a device; undefined when it is unknown, not usable or reserved. */
export const hold = Effect.fnUntraced(function* (hash: Uint8Array, deviceId: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Token>`update provisioning.client_token
    set device_id = ${deviceId}::uuid, opening_until = now() + make_interval(secs => ${holdSeconds})
    where hash = ${hash} and device_id is null and ${unused(sql)} returning ${fields(sql)}`
  return row
})

/** Gives a reserved token back; false when the set-up of the device has used the token up. */
export const release = Effect.fnUntraced(function* (id: number, deviceId: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update provisioning.client_token set device_id = null, opening_until = null
    where id = ${id} and device_id = ${deviceId}::uuid and used_at is null`
  const used = yield* sql`select 1 from provisioning.client_token
    where id = ${id} and device_id = ${deviceId}::uuid and used_at is not null`
  return used.length === 0
})

/** Uses a reserved token up; false when it was revoked meanwhile, or the set-up took too long. */
export const use = Effect.fnUntraced(function* (id: number, deviceId: string) {
  const sql = yield* SqlClient.SqlClient
  const used = yield* sql`update provisioning.client_token set used_at = now(), opening_until = null
    where id = ${id} and device_id = ${deviceId}::uuid and used_at is null and revoked_at is null
      and opening_until > now() returning 1`
  return used.length > 0
})

/** Releases the tokens of set-ups that took too long, and returns them with the device of that set-up. */
export const releaseAbandoned = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ device_id: string; tenant_id: number; user_id: number }>`
      with late as (select id, device_id from provisioning.client_token
        where used_at is null and opening_until <= now() for update skip locked)
      update provisioning.client_token t set device_id = null, opening_until = null from late
        where t.id = late.id returning late.device_id::text as device_id, t.tenant_id, t.user_id`
)

/** Deletes tokens that were used, revoked or expired more than `keptDays` days ago; returns their number. */
export const prune = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql`delete from provisioning.client_token
      where coalesce(used_at, revoked_at, expires_at) < now() - make_interval(days => ${keptDays}) returning 1`,
    (gone) => gone.length
  )
)

/** Deletes all tokens of a deleted user. */
export const removeOf = (userId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`delete from provisioning.client_token where user_id = ${userId}`)
