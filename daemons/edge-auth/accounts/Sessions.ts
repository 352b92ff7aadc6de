/**
 * Sessions of edge-auth. Functions run in the surrounding transaction. Beginning and ending a session locks the row of
 * its user first. A hand-over that runs while the sign-in ends therefore either ends with it or does not begin.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { storedForm } from "../edge/SessionCookie.ts"

export interface Session {
  readonly id: number
  readonly user_id: number
  readonly email: string
  /** Host of a session handed over to another root domain; null for a session at our own domain. */
  readonly host: string | null
  readonly ip: string
  readonly user_agent: string
  readonly created_at: Date
  readonly expires_at: Date
}

/** Longest stored user agent. Unit: UTF-16 units. Reason: only shown in lists. */
const maxAgent = 300

export interface NewSession {
  readonly token: string
  readonly userId: number
  readonly ip: string
  readonly userAgent: string
  /** Lifetime. Unit: seconds. */
  readonly ttl: number
  /** For a handed-over session: id of the session it comes from, and the only host it is valid for. */
  readonly from?: { readonly id: number; readonly host: string }
}

/** Begins a session; returns its id, or undefined when the user is not active. */
export const begin = Effect.fnUntraced(function* ({ from, ip, token, ttl, userAgent, userId }: NewSession) {
  const sql = yield* SqlClient.SqlClient
  const [user] =
    yield* sql`update edge_auth.users set last_login = now() where id = ${userId} and status = 'active' returning 1`
  if (user === undefined) return undefined
  const [row] = yield* sql<{
    id: number
  }>`insert into edge_auth.sessions (token, user_id, host, parent, ip, user_agent, expires_at)
    values (${storedForm(token)}, ${userId}, ${from?.host ?? null}, ${from?.id ?? null}, ${ip},
      ${userAgent.slice(0, maxAgent).toWellFormed().replaceAll("\0", "")},
      now() + make_interval(secs => ${ttl})) returning id`
  return row!.id
})

/** Open sessions of a user, or of all users; newest first, at most `limit`. */
export const open = Effect.fnUntraced(function* (userId: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Session>`select s.id, s.user_id, u.email, s.host, s.ip, s.user_agent, s.created_at, s.expires_at
    from edge_auth.sessions s join edge_auth.users u on u.id = s.user_id
    where s.ended_at is null and s.expires_at > now()
      and ${userId === undefined ? sql`true` : sql`s.user_id = ${userId}`}
    order by s.created_at desc limit ${limit}`
})

/**
 * Ends all sessions of the token's sign-in; returns the sign-in's id and user, or undefined when it is over already.
 */
export const endToken = Effect.fnUntraced(function* (token: string) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{
    id: number
    user_id: number
  }>`select s.sign_in as id, s.user_id from edge_auth.sessions s
    where s.token = ${storedForm(token)} and s.ended_at is null and s.expires_at > now()`
  if (found === undefined) return undefined
  yield* lockUser(found.user_id)
  const ended = yield* sql`update edge_auth.sessions set ended_at = now()
      where sign_in = ${found.id} and ended_at is null returning 1`
  return ended.length > 0 ? found : undefined
})

/**
 * Ends a session by id, and the sessions handed over from it. `userId`: the owner it must have. Returns whether the
 * session was open.
 */
export const end = Effect.fnUntraced(function* (id: number, userId?: number) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ user_id: number }>`select user_id from edge_auth.sessions where id = ${id}`
  if (found === undefined || (userId !== undefined && found.user_id !== userId)) return false
  yield* lockUser(found.user_id)
  const ended = yield* sql<{ id: number }>`update edge_auth.sessions set ended_at = now()
    where (id = ${id} or parent = ${id}) and ended_at is null returning id`
  return ended.some((row) => row.id === id)
})

/** Ends all sessions of a user; returns how many. */
export const endAll = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* lockUser(userId)
  return (yield* sql`update edge_auth.sessions set ended_at = now()
    where user_id = ${userId} and ended_at is null returning 1`).length
})

/** Locks the user until the end of the transaction: no other transaction begins or ends a session of this user. */
export const lockUser = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select 1 from edge_auth.users where id = ${userId} for update`
})

/** Deletes sessions that expired a day ago; until then projections still read that a session has ended. */
export const prune = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`delete from edge_auth.sessions where expires_at < now() - interval '1 day' returning 1`).length
})

/** Session of the first token that belongs to an open session at our own domain with an active user. */
export const current = Effect.fnUntraced(function* (tokens: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  for (const token of tokens) {
    const [row] = yield* sql<{
      id: number
      user_id: number
    }>`select s.id, s.user_id from edge_auth.sessions s join edge_auth.users u on u.id = s.user_id
      where s.token = ${storedForm(token)} and s.ended_at is null and s.expires_at > now()
        and s.host is null and u.status = 'active'`
    if (row !== undefined) return row
  }
  return undefined
})
