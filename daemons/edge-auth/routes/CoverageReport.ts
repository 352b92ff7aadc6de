/** The report of what is really protected: from what proxies asked, from the routes, and from the proxy's files. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { coverageOf, type Seen } from "./Coverage.ts"
import { hostOf } from "../edge/Host.ts"
import type { Home } from "../edge/ReturnTo.ts"
import { readProxyFiles } from "./proxies/ProxyFiles.ts"
import * as RouteRows from "./RouteRows.ts"

/** Hosts that were asked about which are listed, latest first. Unit: hosts. */
const maxSeen = 1_000

export const CoverageReport = Schema.Struct({
  default_deny: Schema.Boolean,
  /** Files of the proxy that were to be read. */
  files: Schema.Array(Schema.String),
  hosts: Schema.Array(
    Schema.Struct({
      host: Schema.String,
      state: Schema.Literals(["protected", "partly", "no_route", "denied", "no_check", "not_asked"]),
      /** Whether a proxy has asked about it, and when last. */
      asked: Schema.Boolean,
      last_asked: Schema.NullOr(Schema.String),
      /** Whether a route is enabled, and whether one covers the whole host. */
      route: Schema.Boolean,
      whole: Schema.Boolean,
      /** Where the proxy's file does not ask about it. */
      unchecked: Schema.Array(Schema.String)
    })
  ),
  /** What of the files could not be read: about these hosts nothing is said. */
  unread: Schema.Array(Schema.String)
})
export type CoverageReport = typeof CoverageReport.Type

export interface ReportOptions {
  readonly defaultDeny: boolean
  readonly proxyConfig: ReadonlyArray<string>
  readonly home: Pick<Home, "base">
}

/** Call outside transactions. The login pages' own host is not in it: whoever is there is not signed in yet. */
export const report = Effect.fnUntraced(function* ({ defaultDeny, home, proxyConfig }: ReportOptions) {
  const own = hostOf(new URL(home.base).host)
  const sql = yield* SqlClient.SqlClient
  const { places, unread } = yield* readProxyFiles(proxyConfig)
  const seen =
    yield* sql<Seen>`select host, last_seen from edge_auth.seen_hosts order by last_seen desc limit ${maxSeen}`
  const routes = (yield* RouteRows.list).filter(({ enabled }) => enabled)
  return {
    default_deny: defaultDeny,
    files: proxyConfig,
    hosts: coverageOf({ seen, routes, places, defaultDeny })
      .filter(({ host }) => host !== own)
      .map(({ host, lastSeen, route, state, unchecked, whole }) => ({
        host,
        state,
        asked: lastSeen !== null,
        last_asked: lastSeen?.toISOString() ?? null,
        route,
        whole,
        unchecked
      })),
    unread
  } satisfies CoverageReport as CoverageReport
})
