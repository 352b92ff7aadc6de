/**
 * Stores the current code per account and purpose; OneTimeCode.ts decides about it. Functions run in the surrounding
 * transaction with its role. Obtain keys from `Secrets.derive(keyUse)` before the transaction.
 */
import { Clock, Effect, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { begin, decide, maxTries } from "./OneTimeCode.ts"

/** `bind`: confirms a chat for an account; `login`: second factor of a sign-in. */
export type Purpose = "bind" | "login"

/** Purpose of the derived key. */
export const keyUse = "identity.one_time_code"

interface Row {
  readonly id: string
  readonly hash: Uint8Array
  readonly expiresAt: number
  readonly tries: number
}

/** Replaces the account's code for this purpose. Returns its expiry. */
export const replaceCode = Effect.fnUntraced(function* (
  account: { readonly id: number; readonly tenant_id: number },
  purpose: Purpose,
  code: Redacted.Redacted,
  keys: ReadonlyArray<Uint8Array>
) {
  const sql = yield* SqlClient.SqlClient
  const { expiresAt, hash, id } = begin(randomUUID(), code, keys[0]!, yield* Clock.currentTimeMillis)
  const expires = new Date(expiresAt)
  yield* sql`insert into identity.one_time_code (account_id, tenant_id, purpose, id, hash, expires_at)
    values (${account.id}, ${account.tenant_id}, ${purpose}, ${id}, ${hash}, ${expires})
    on conflict (account_id, purpose) do update
      set id = excluded.id, hash = excluded.hash, tries = 0, created_at = now(), expires_at = excluded.expires_at`
  return expires
})

/**
 * Whether `typed` is the current code, which is then deleted. The attempt is counted before the comparison, by a
 * statement that locks the row. So concurrent requests cannot exceed the limit, and a correct code is accepted once.
 * Commit the transaction whatever the result.
 */
export const redeem = Effect.fnUntraced(function* (
  accountId: number,
  purpose: Purpose,
  typed: string,
  keys: ReadonlyArray<Uint8Array>
) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Row>`update identity.one_time_code set tries = tries + 1
    where account_id = ${accountId} and purpose = ${purpose} and tries < ${maxTries}
    returning id, hash, floor(extract(epoch from expires_at) * 1000)::float8 as "expiresAt", tries`
  if (row === undefined) return false
  const decision = decide({ ...row, tries: row.tries - 1 }, typed, keys, yield* Clock.currentTimeMillis)
  if (decision._tag === "Refused") return false
  yield* sql`delete from identity.one_time_code where account_id = ${accountId} and purpose = ${purpose}`
  return true
})

/** Deletes all codes of the account. */
export const deleteCodes = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from identity.one_time_code where account_id = ${accountId}`
})
