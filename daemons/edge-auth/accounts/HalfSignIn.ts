/** Between a right password and its code. Functions run in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newToken, storedForm } from "../edge/SessionCookie.ts"

/** How long the code is waited for. Unit: seconds. Reason: long enough to find the telephone. */
export const patience = 300

/** Answers what the page of the code holds; it opens nothing without a code. */
export const begin = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  const token = newToken()
  yield* sql`insert into edge_auth.half_sign_ins (token, user_id, expires_at) values (${storedForm(token)}, ${userId}, now() + make_interval(secs => ${patience}))`
  return token
})

/** Whose it is; undefined when it is over. */
export const userOf = Effect.fnUntraced(function* (token: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    user_id: number
  }>`select user_id from edge_auth.half_sign_ins where token = ${storedForm(token)} and expires_at > now()`
  return row?.user_id
})

/** Uses it up; false when it was used before, or forgotten. */
export const end = Effect.fnUntraced(function* (token: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`delete from edge_auth.half_sign_ins where token = ${storedForm(token)} returning 1`).length > 0
})

/** All of a user. */
export const endAll = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from edge_auth.half_sign_ins where user_id = ${userId}`
})

export const prune = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from edge_auth.half_sign_ins where expires_at < now()`
})
