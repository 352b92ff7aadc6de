/**
 * Decides how the gateway handles a request or upgrade, in the order of the interface document: intrusion check,
 * security headers, rate limit, optional auth check, backend. Pure: it opens no connection and writes no response.
 */
import type { BareStatus } from "../http/Problem.ts"
import type { BanList } from "./BanList.ts"
import type { RateLimit } from "../limits/RateLimit.ts"
import { match, ownPaths, type TableRow } from "./RouteTable.ts"
import { forRequest } from "./SecurityHeaders.ts"

/** The request properties that the chain needs. */
export interface Facts {
  /** Client address from the listener, never from an unverified header. */
  readonly client: string
  readonly method: string
  /** Path without query. */
  readonly path: string
  /** The request came by https, according to the peer or a trusted proxy. */
  readonly secure: boolean
  /** The request carries a service token or bearer token, valid or not. */
  readonly credentials: boolean
  readonly upgrade: boolean
  /** Epoch milliseconds. */
  readonly now: number
}

/** State of the gateway. */
export interface State {
  readonly banned: BanList
  readonly limit: RateLimit
  readonly table: ReadonlyArray<TableRow>
  readonly isRunning: (daemon: string) => boolean
}

export type Headers = Readonly<Record<string, string>>

export type Step =
  | {
      readonly _tag: "Refuse"
      readonly status: BareStatus | "banned"
      readonly detail?: string
      readonly headers: Headers
    }
  /** One of the gateway's own pages. */
  | { readonly _tag: "Own"; readonly path: string; readonly headers: Headers }
  | { readonly _tag: "Forward"; readonly daemon: string; readonly headers: Headers }

/** Retry-After for a daemon that is being restarted. Unit: seconds. */
const rebuildPause = "1"

export const decide = (facts: Facts, state: State): Step => {
  if (state.banned(facts.client, facts.now))
    return { _tag: "Refuse", status: "banned", headers: { connection: "close" } }
  const path = isOwn(facts.path.replace(/\/$/, "")) ? facts.path.replace(/\/$/, "") : facts.path
  const headers = forRequest(path, facts.secure)
  const refuse = (status: BareStatus, detail: string | undefined, more: Headers = {}): Step => ({
    _tag: "Refuse",
    status,
    ...(detail === undefined ? {} : { detail }),
    headers: { ...headers, ...more }
  })
  const row = isOwn(path) ? undefined : match(state.table, path)
  const wait = row?.rateLimited === false ? 0 : state.limit.take(facts.client, facts.now)
  if (wait > 0) return refuse(429, undefined, { "retry-after": String(wait) })
  if (isOwn(path)) {
    if (facts.upgrade) return refuse(404, undefined)
    return facts.method === "GET" || facts.method === "HEAD"
      ? { _tag: "Own", path, headers }
      : refuse(405, undefined, { allow: "GET, HEAD" })
  }
  if (row?.authenticated && !facts.credentials) {
    return refuse(401, "Send x-service-token or Authorization: Bearer.", { "www-authenticate": "Bearer" })
  }
  if (row === undefined) return refuse(404, undefined)
  if (!state.isRunning(row.daemon))
    return refuse(503, `${row.daemon} is being restarted.`, { "retry-after": rebuildPause })
  return { _tag: "Forward", daemon: row.daemon, headers }
}

const own: ReadonlySet<string> = new Set(ownPaths)
const isOwn = (path: string): boolean => own.has(path) || /^\/health\/[^/]+$/.test(path)
