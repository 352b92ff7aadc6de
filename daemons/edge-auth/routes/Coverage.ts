/**
 * Computes which hosts are protected: a proxy must ask about the host, and a route must be enabled. Pure. Source:
 * interface document 3 §4.2, rule 5.
 */
import type { ProxyLocation } from "./proxies/Read.ts"

export interface Seen {
  readonly host: string
  readonly last_seen: Date
}

export interface Covered {
  readonly host: string
  /**
   * `protected`: the proxy asks and a route is enabled. `partly`: as `protected`, but the proxy's file exempts some
   * locations. `no_route`: the proxy asks, but the host is open without a route. `denied`: the proxy asks, and without
   * a route only signed-in users pass (default deny). `no_check`: the proxy's file does not ask, so the host is open.
   * `not_asked`: a route is enabled, but no proxy has asked and no file has the host; it may be open.
   */
  readonly state: "protected" | "partly" | "no_route" | "denied" | "no_check" | "not_asked"
  readonly lastSeen: Date | null
  readonly route: boolean
  /** Whether a route covers the whole host; otherwise parts of it are open. */
  readonly whole: boolean
  /** Locations in the proxy's file that do not ask. */
  readonly unchecked: ReadonlyArray<string>
}

/**
 * Coverage of each host. `routes`: enabled routes. `places`: locations in the proxy's files. A file outweighs a request
 * seen earlier, because the configuration may have changed since.
 */
export const coverageOf = ({
  defaultDeny,
  places,
  routes,
  seen
}: {
  readonly seen: ReadonlyArray<Seen>
  readonly routes: ReadonlyArray<{ readonly host: string; readonly path: string }>
  readonly places: ReadonlyArray<ProxyLocation>
  readonly defaultDeny: boolean
}): ReadonlyArray<Covered> => {
  const lastSeen = new Map(seen.map(({ host, last_seen }) => [host, last_seen]))
  const paths = Map.groupBy(routes, ({ host }) => host)
  const written = Map.groupBy(places, ({ host }) => host)
  return [...new Set([...lastSeen.keys(), ...paths.keys(), ...written.keys()])].toSorted().map((host) => {
    const own = paths.get(host) ?? []
    const file = written.get(host)
    const unchecked = (file ?? []).filter(({ asks }) => !asks).map(({ where }) => where)
    const state = (): Covered["state"] => {
      if (file !== undefined && unchecked.length === file.length) return "no_check"
      if (file === undefined && !lastSeen.has(host)) return "not_asked"
      if (own.length === 0 && !defaultDeny) return "no_route"
      return unchecked.length > 0 ? "partly" : own.length > 0 ? "protected" : "denied"
    }
    return {
      host,
      state: state(),
      lastSeen: lastSeen.get(host) ?? null,
      route: own.length > 0,
      whole: own.some(({ path }) => path === "/") || defaultDeny,
      unchecked
    }
  })
}
