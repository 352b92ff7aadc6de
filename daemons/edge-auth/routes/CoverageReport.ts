/** Coverage report: combines the hosts that proxies asked about, the routes and the proxy's files. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { coverageOf, type Seen } from "./Coverage.ts"
import { hostOf } from "../edge/Host.ts"
import type { Home } from "../edge/ReturnTo.ts"
import { readProxyFiles } from "./proxies/ProxyFiles.ts"
import * as RouteRows from "./RouteRows.ts"

/** Maximum number of hosts known only from requests in a report, latest first. */
const maxSeen = 1_000

export const CoverageReport = Schema.Struct({
  default_deny: Schema.Boolean,
  /** Configured files of the proxy. */
  files: Schema.Array(Schema.String),
  hosts: Schema.Array(
    Schema.Struct({
      host: Schema.String,
      state: Schema.Literals(["protected", "partly", "no_route", "denied", "no_check", "not_asked"]),
      /** Whether a proxy has asked about the host; `last_asked`: when it last did. */
      asked: Schema.Boolean,
      last_asked: Schema.NullOr(Schema.String),
      /** Whether a route is enabled; `whole`: whether one covers the whole host. */
      route: Schema.Boolean,
      whole: Schema.Boolean,
      /** Locations in the proxy's file that do not ask. */
      unchecked: Schema.Array(Schema.String)
    })
  ),
  /** Parts of the files that could not be understood; the report says nothing about their hosts. */
  unread: Schema.Array(Schema.String)
})
export type CoverageReport = typeof CoverageReport.Type

export interface ReportOptions {
  readonly defaultDeny: boolean
  readonly proxyConfig: ReadonlyArray<string>
  readonly home: Pick<Home, "base">
}

/** Makes the report, without the host of the login pages, which must stay open. Call outside transactions. */
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
