/**
 * Locks an account provided that it has not changed since its password was read. It may be suspended or changed while
 * the password is hashed.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { asPlatform } from "#core/sql/Sql.ts"

/**
 * Returns false when the account changed or is suspended. Call it first in the transaction: the lock order is tenant,
 * account, session, link.
 */
export const lockUnchanged = Effect.fnUntraced(function* (account: {
  readonly id: number
  readonly tenant_id: number
  readonly version: number
}) {
  const sql = yield* SqlClient.SqlClient
  // Runs as platform, because the tenant role has no right to lock a tenant row.
  const tenant = yield* asPlatform(
    sql`select 1 from identity.tenant where id = ${account.tenant_id} and state = 'active' for share`
  )
  const same = yield* sql`select 1 from identity.account
    where id = ${account.id} and version = ${account.version} and state = 'active' for no key update`
  return tenant.length > 0 && same.length > 0
})
