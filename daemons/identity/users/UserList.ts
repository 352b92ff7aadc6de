/** Lists users. Runs in the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Role } from "#core/auth/Roles.ts"
import type { Account } from "./Accounts.ts"

export interface UserFilter {
  readonly tenant?: number
  readonly role?: Role
  readonly state?: Account["state"]
  /** Part of the address or name, case-insensitive. */
  readonly q?: string
  /** Only users with a smaller id. */
  readonly before?: number
}

/** Users that match the filter, newest first, at most `limit`. */
export const listUsers = Effect.fnUntraced(function* (filter: UserFilter, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const { before, q, role, state, tenant } = filter
  const conditions = [
    sql`true`,
    ...(tenant === undefined ? [] : [sql`tenant_id = ${tenant}`]),
    ...(role === undefined ? [] : [sql`role = ${role}`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(q === undefined ? [] : [sql`(strpos(email, lower(${q})) > 0 or strpos(lower(name), lower(${q})) > 0)`]),
    ...(before === undefined ? [] : [sql`id < ${before}`])
  ]
  return yield* sql<Account>`select id, tenant_id, email, name, role, locale, time_zone, state, version,
      created_at, updated_at, last_login_at
    from identity.account where ${sql.and(conditions)} order by id desc limit ${limit}`
})
