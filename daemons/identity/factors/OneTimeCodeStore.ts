/**
 * The one live code of an account and purpose; the decision is OneTimeCode's. Functions run in the surrounding
 * transaction with the role it has. Keys come from `Secrets.derive(keyUse)`, asked before the transaction.
 */
import { Clock, Effect, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { begin, decide, maxTries } from "./OneTimeCode.ts"

/** `bind`: a chat to an account; `login`: a sign-in. */
export type Purpose = "bind" | "login"

/** What the key of the hashes is derived for. */
export const keyUse = "identity.one_time_code"

interface Row {
  readonly id: string
  readonly hash: Uint8Array
  readonly expiresAt: number
  readonly tries: number
}

/** Puts a new code in the place of the one before; answers until when it is good. */
export const give = Effect.fnUntraced(function* (
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
 * Whether `typed` is the live code, which is then gone. The try is counted before anything is compared, by a statement
 * that holds the row: of a hundred at once five are looked at, and of two right ones one passes. Commit it whatever it
 * says.
 */
export const take = Effect.fnUntraced(function* (
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

/** Takes away every code of the account. */
export const forget = Effect.fnUntraced(function* (accountId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from identity.one_time_code where account_id = ${accountId}`
})
