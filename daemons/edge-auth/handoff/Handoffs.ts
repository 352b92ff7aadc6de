/** One-time codes that hand a session over to another root domain. Functions run in the surrounding transaction. */
import { Duration, Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as StoredLog from "#core/limits/StoredLog.ts"
import { Sessions } from "../accounts/Exports.ts"
import { newToken, storedForm } from "../edge/SessionCookie.ts"
import type { Client } from "../edge/Visitor.ts"
import type { Elsewhere } from "../edge/OtherDomain.ts"

/** Lifetime of a code. Unit: seconds. Reason: browsers follow a redirect at once. */
export const lifetime = 60

/**
 * Most sessions that one sign-in can begin at one host within a minute. Reason: a browser that keeps no cookie of that
 * host returns for a new code at once. Each round takes three redirects, and browsers give up after twenty; this limit
 * shows the user an explanation before that.
 */
export const maxPerMinute = 4

/** Sessions that one sign-in began at `host`. */
const begun = (host: string): StoredLog.LogPolicy => ({
  name: "edge_auth.handoff",
  table: "edge_auth.sessions",
  key: "sign_in",
  at: "created_at",
  only: (sql) => sql`host = ${host}`,
  limit: maxPerMinute,
  unit: "sessions",
  window: Duration.minutes(1)
})

/** `Loop`: the browser keeps no cookie of that host. `Closed`: the host has no enabled route. */
export type Made =
  | { readonly _tag: "Code"; readonly code: string }
  | { readonly _tag: "Loop" }
  | { readonly _tag: "Closed" }

/** Creates a code for the session `id`, valid for this host and target only. */
export const make = Effect.fnUntraced(function* (
  id: number,
  { host, target }: Pick<Elsewhere, "host" | "target">
): Effect.fn.Return<Made, SqlError.SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const [known] = yield* sql`select 1 from edge_auth.protected_routes
      where host = ${host} and enabled = 1 and removed_at is null limit 1`
  if (known === undefined) return { _tag: "Closed" }
  // Not locked: a session too many only delays the explanation.
  if ((yield* StoredLog.wait(begun(host), [id])) > 0) return { _tag: "Loop" }
  const code = newToken()
  yield* sql`insert into edge_auth.handoffs (code, session_id, host, target, expires_at)
    values (${storedForm(code)}, ${id}, ${host}, ${target}, now() + make_interval(secs => ${lifetime}))`
  return { _tag: "Code", code }
})

export interface Redeemed {
  readonly id: number
  readonly userId: number
  readonly token: string
  readonly target: string
  /** Remaining lifetime of the sign-in. Unit: seconds. */
  readonly ttl: number
}

/**
 * Redeems `code` and begins a session at `host`. Undefined when the code is unknown, used, expired or for another host,
 * or when its sign-in is over. Every try uses the code up: a code that reached a wrong host is no longer secret.
 */
export const redeem = Effect.fnUntraced(function* (code: string, host: string, client: Client) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{
    session_id: number
    host: string
    target: string
    fresh: boolean
  }>`delete from edge_auth.handoffs where code = ${storedForm(code)}
    returning session_id, host, target, expires_at > now() as fresh`
  if (found === undefined || !found.fresh || found.host !== host) return undefined
  const [owner] = yield* sql<{ user_id: number }>`select user_id from edge_auth.sessions where id = ${found.session_id}`
  if (owner === undefined) return undefined
  yield* Sessions.lockUser(owner.user_id)
  const [from] = yield* sql<{
    ttl: number
  }>`select floor(extract(epoch from expires_at - now()))::int as ttl from edge_auth.sessions
    where id = ${found.session_id} and ended_at is null and expires_at > now()`
  if (from === undefined || from.ttl < 1) return undefined
  const token = newToken()
  const id = yield* Sessions.begin({
    token,
    userId: owner.user_id,
    from: { id: found.session_id, host },
    ip: client.ip,
    userAgent: client.userAgent,
    ttl: from.ttl
  })
  return id === undefined
    ? undefined
    : ({ id, userId: owner.user_id, token, target: found.target, ttl: from.ttl } satisfies Redeemed as Redeemed)
})
