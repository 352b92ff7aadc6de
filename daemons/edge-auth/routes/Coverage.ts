/**
 * Which hosts are really protected: a proxy has to ask about a host, and a route has to be enabled. Source: interface
 * document 3 §4.2, rule 5. Pure.
 */
import type { ProxyLocation } from "./proxies/Read.ts"

export interface Seen {
  readonly host: string
  readonly last_seen: Date
}

export interface Covered {
  readonly host: string
  /**
   * `protected`: asked about, and a route is enabled. `partly`: the same, but the proxy's file leaves places out.
   * `no_route`: asked about, and open. `denied`: asked about, without a route, and only for who is signed in, as
   * nothing is open by default. `no_check`: the proxy's file asks nobody: open. `not_asked`: a route is enabled, but no
   * proxy has asked and no file tells of the host: perhaps open.
   */
  readonly state: "protected" | "partly" | "no_route" | "denied" | "no_check" | "not_asked"
  readonly lastSeen: Date | null
  readonly route: boolean
  /** Whether a route covers the whole host; else parts of it are open. */
  readonly whole: boolean
  /** Where the proxy's file does not ask about it. */
  readonly unchecked: ReadonlyArray<string>
}

/**
 * By host. `routes`: those enabled. `places`: as the proxy's files have them; a file is believed before what was asked
 * once.
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
