/** Users of edge-auth; they are separate from the users of identity. Functions run in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { containing } from "#core/sql/Like.ts"
import type { Role } from "../edge/RouteIndex.ts"

export type Status = "pending" | "active" | "blocked"

export interface User {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly status: Status
  readonly role: Role
  readonly has_totp: boolean
  readonly created_at: Date
  readonly approved_at: Date | null
  readonly last_login: Date | null
}

/** User with the columns that are never shown. */
export interface Known extends User {
  readonly password: string
  readonly totp_secret: string | null
  readonly totp_step: string | null
}

const shown = (sql: SqlClient.SqlClient) =>
  sql`id, email, name, status, role, totp_since is not null as has_totp, created_at, approved_at, last_login`

/** Finds a user by normalised e-mail address. */
export const byEmail = Effect.fnUntraced(function* (email: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Known>`select ${shown(sql)}, password, totp_secret, totp_step::text as totp_step
      from edge_auth.users where email = ${email}`
  return row
})

export const byId = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<User>`select ${shown(sql)} from edge_auth.users where id = ${id} and removed_at is null`
  return row
})

/** Users, pending ones first, then by address; at most `limit`. `q`: part of the address or name. */
export const list = Effect.fnUntraced(function* (limit: number, status?: Status, q?: string) {
  const sql = yield* SqlClient.SqlClient
  const pattern = q === undefined ? undefined : containing(q)
  return yield* sql<User>`select ${shown(sql)} from edge_auth.users where ${sql.and([
    sql`removed_at is null`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(pattern === undefined ? [] : [sql`(email ilike ${pattern} or name ilike ${pattern})`])
  ])} order by (status <> 'pending'), email limit ${limit}`
})

/** Creates an active user; undefined when the address is taken. `password`: bcrypt hash. */
export const create = Effect.fnUntraced(function* (given: {
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly password: string
}) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<User>`insert into edge_auth.users (email, name, password, status, role, approved_at)
    values (${given.email}, ${given.name}, ${given.password}, 'active', ${given.role}, now())
    on conflict (email) do nothing returning ${shown(sql)}`
  return row
})

/** Sets the hash of a password; false when the user does not exist. */
export const setPassword = Effect.fnUntraced(function* (id: number, password: string) {
  const sql = yield* SqlClient.SqlClient
  return (
    (yield* sql`update edge_auth.users set password = ${password} where id = ${id} and removed_at is null returning 1`)
      .length > 0
  )
})

/**
 * Clears a user and marks the row as removed; false when the user does not exist. The address `#12` is no e-mail
 * address, so nobody signs in or registers with it. `prune` deletes the row.
 */
export const remove = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  return (
    (yield* sql`update edge_auth.users set email = '#' || id, name = '', password = '', status = 'blocked',
      role = 'user', totp_secret = null, totp_begun = null, totp_since = null, totp_step = null, recovery_codes = null,
      removed_at = now() where id = ${id} and removed_at is null returning 1`).length > 0
  )
})

/** Deletes removed users after a day, when projections have read the change and no session refers to them. */
export const prune = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`delete from edge_auth.users u where removed_at < now() - interval '1 day'
    and not exists (select 1 from edge_auth.sessions s where s.user_id = u.id) returning 1`).length
})

/** Serialises registrations, so that two parallel ones cannot both be the first. */
export const lockRegistrations = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`select pg_advisory_xact_lock(hashtextextended('edge_auth.register', 0))`
)

/**
 * Creates a pending user; with `firstIsAdmin` the very first user becomes an active admin. Undefined when the address
 * is taken. Call after `lockRegistrations`.
 */
export const register = Effect.fnUntraced(function* (
  given: { readonly email: string; readonly name: string; readonly password: string },
  firstIsAdmin: boolean
) {
  const sql = yield* SqlClient.SqlClient
  const [row] =
    yield* sql<User>`insert into edge_auth.users (email, name, password, status, role, approved_at, registered_at)
    select ${given.email}, ${given.name}, ${given.password},
      case when first then 'active' else 'pending' end, case when first then 'admin' else 'user' end,
      case when first then now() end, now()
    from (select ${firstIsAdmin} and not exists (select 1 from edge_auth.users) as first) f
    on conflict (email) do nothing returning ${shown(sql)}`
  return row
})

/** Replaces the hash of a password, unless it has changed since it was read. */
export const renewPassword = (id: number, from: string, to: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`update edge_auth.users set password = ${to} where id = ${id} and password = ${from}`
  )

/** Changes role or status; returns the changed user, or undefined when the user does not exist. */
export const change = Effect.fnUntraced(function* (
  id: number,
  { role, status }: { readonly role?: Role; readonly status?: Status }
) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<User>`update edge_auth.users
    set role = coalesce(${role ?? null}, role), status = coalesce(${status ?? null}, status),
      approved_at = case when ${status ?? null} = 'active' then coalesce(approved_at, now()) else approved_at end
    where id = ${id} and removed_at is null returning ${shown(sql)}`
  return row
})

/** Number of active admins other than `id`. */
export const otherAdmins = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ count: number }>`select count(*)::int as count from edge_auth.users
    where role = 'admin' and status = 'active' and id <> ${id}`
  return found!.count
})
