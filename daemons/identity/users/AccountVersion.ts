/**
 * Locks an account that has not changed since its password was read. Hashing takes long enough for a suspension or
 * another change to happen meanwhile.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { asPlatform } from "#core/sql/Sql.ts"

/**
 * False when the account changed or is suspended. Run it first in the transaction: lock order is tenant, account,
 * session, link.
 */
export const lockUnchanged = Effect.fnUntraced(function* (account: {
  readonly id: number
  readonly tenant_id: number
  readonly version: number
}) {
  const sql = yield* SqlClient.SqlClient
  // The tenants' role may change no tenant, and so may hold none.
  const tenant = yield* asPlatform(
    sql`select 1 from identity.tenant where id = ${account.tenant_id} and state = 'active' for share`
  )
  const same = yield* sql`select 1 from identity.account
    where id = ${account.id} and version = ${account.version} and state = 'active' for no key update`
  return tenant.length > 0 && same.length > 0
})
