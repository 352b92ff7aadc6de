/**
 * Half-done sign-ins: the password was right and the code of the second factor is missing. Functions run in the
 * surrounding transaction.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newToken, storedForm } from "../edge/SessionCookie.ts"

/** Time limit for the code. Unit: seconds. Reason: long enough to find the phone with the app. */
export const patience = 300

/** Stores a half-done sign-in; returns its token for the page of the code. The token alone signs nobody in. */
export const begin = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  const token = newToken()
  yield* sql`insert into edge_auth.half_sign_ins (token, user_id, expires_at)
    values (${storedForm(token)}, ${userId}, now() + make_interval(secs => ${patience}))`
  return token
})

/** User id of a half-done sign-in; undefined when it has expired or ended. */
export const userOf = Effect.fnUntraced(function* (token: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    user_id: number
  }>`select user_id from edge_auth.half_sign_ins where token = ${storedForm(token)} and expires_at > now()`
  return row?.user_id
})

/** Deletes a half-done sign-in; false when it was deleted before. */
export const end = Effect.fnUntraced(function* (token: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`delete from edge_auth.half_sign_ins where token = ${storedForm(token)} returning 1`).length > 0
})

/** Deletes all half-done sign-ins of a user. */
export const endAll = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from edge_auth.half_sign_ins where user_id = ${userId}`
})

export const prune = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from edge_auth.half_sign_ins where expires_at < now()`
})
