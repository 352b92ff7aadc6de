/**
 * Whether an account is still what it was when its owner was asked for the password: hashing takes a while, and what
 * was changed or suspended meanwhile must not be signed in to. Holds it so until the transaction ends.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { asPlatform } from "#core/sql/Sql.ts"

/** Run it first in the transaction: everybody locks tenant, account, session and link in this order. */
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
