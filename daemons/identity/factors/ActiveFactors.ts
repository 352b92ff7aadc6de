/** Confirmed second factors of an account. Functions run in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A second factor that a sign-in may ask for. */
export type Factor = "totp" | "messenger"

export interface ActiveFactor {
  readonly factor: Factor
  readonly since: Date
}

/** Confirmed factors, in the order in which a sign-in offers them. */
export const activeFactors = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<ActiveFactor>`
    select 'totp' as factor, confirmed_at as since from identity.totp
      where account_id = ${accountId} and confirmed_at is not null
    union all
    select 'messenger', confirmed_at from identity.messenger_factor
      where account_id = ${accountId} and confirmed_at is not null
    order by factor desc`
})

/** Serialises factor changes of this account until the transaction ends. */
export const lockFactors = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select 1 from identity.account where id = ${accountId} for no key update`
})

/** Increments the account's version, which aborts sign-ins in progress (users/AccountVersion.ts). */
export const markChanged = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update identity.account set version = version + 1, updated_at = now() where id = ${accountId}`
})
