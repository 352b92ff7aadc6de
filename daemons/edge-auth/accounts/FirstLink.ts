/**
 * One-time link with which the first user registers and becomes an administrator. Applies while nobody is registered.
 * Without the link a stranger could be the first. Only the SHA-256 of its token is stored. Functions run in the
 * surrounding transaction.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newToken, storedForm } from "../edge/SessionCookie.ts"

/** Lifetime of a link. Unit: hours. Reason: a start or `signalbox edge users first-link` makes a new one. */
const lifetime = 24

/** Whether the next user who registers would be the first. */
export const isOpen = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`select 1 from edge_auth.users limit 1`).length === 0
})

/** Replaces the link and returns its token; undefined when somebody is registered. */
export const make = Effect.gen(function* () {
  if (!(yield* isOpen)) return undefined
  const sql = yield* SqlClient.SqlClient
  const token = newToken()
  yield* sql`insert into edge_auth.first_link (single, token, expires_at)
    values (true, ${storedForm(token)}, now() + make_interval(hours => ${lifetime}))
    on conflict (single) do update set token = excluded.token, expires_at = excluded.expires_at`
  return token
})

/** Whether `token` is the token of the current link. */
export const fits = Effect.fnUntraced(function* (token: string | undefined) {
  if (token === undefined || token === "") return false
  const sql = yield* SqlClient.SqlClient
  return (
    (yield* sql`select 1 from edge_auth.first_link where token = ${storedForm(token)} and expires_at > now()`).length >
    0
  )
})

/** Address of the registration page with the token. Pure. */
export const addressOf = (base: string, token: string): string => `${base}/register?first=${token}`
