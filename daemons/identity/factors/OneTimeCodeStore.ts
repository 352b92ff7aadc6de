/**
 * The one live code of an account and purpose. It is tried in two steps: `tryOne` counts the try before anything is compared
 * and must be committed whatever comes of it; `consume` then lets exactly one right try through.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** `bind`: a chat to an account; `login`: a sign-in. */
export type Purpose = "bind" | "login"

/** How long a code is good. Unit: seconds. Reason: a look at the telephone; a guesser gets no more than that. */
export const codeLifetime = 300

/** Tries at one code. Unit: tries. Reason: typing errors; a guesser hits one of a million codes with 5 in 1,000,000. */
export const maxTries = 5

/** What of a code is kept. */
export interface StoredCode {
  readonly hash: Uint8Array
  readonly salt: Uint8Array
}

/** Puts a new code in the place of the one before. */
export const give = Effect.fnUntraced(function*(account: { readonly id: number; readonly tenantId: number }, purpose: Purpose, code: StoredCode) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into identity.one_time_code (account_id, tenant_id, purpose, hash, salt, expires_at)
    values (${account.id}, ${account.tenantId}, ${purpose}, ${code.hash}, ${code.salt}, now() + make_interval(secs => ${codeLifetime}))
    on conflict (account_id, purpose) do update
      set hash = excluded.hash, salt = excluded.salt, tries = 0, created_at = now(), expires_at = excluded.expires_at`
})

/** Counts a try; undefined when there is no live code, or its tries are used up. */
export const tryOne = Effect.fnUntraced(function*(accountId: number, purpose: Purpose) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<StoredCode>`update identity.one_time_code set tries = tries + 1
    where account_id = ${accountId} and purpose = ${purpose} and tries < ${maxTries} and expires_at > now() returning hash, salt`
  return row
})

/** Takes the code away; false when somebody else did, or another has come in its place. */
export const consume = Effect.fnUntraced(function*(accountId: number, purpose: Purpose, code: StoredCode) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`delete from identity.one_time_code
    where account_id = ${accountId} and purpose = ${purpose} and hash = ${code.hash} and salt = ${code.salt} returning 1`
  return rows.length > 0
})

/** Takes away every code of the account. */
export const forget = Effect.fnUntraced(function*(accountId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from identity.one_time_code where account_id = ${accountId}`
})
