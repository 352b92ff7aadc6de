/** Which hosts are really protected: a proxy has to ask about a host, and a route has to be enabled. Source: interface document 3 §4.2, rule 5. Pure. */

export interface Seen {
  readonly host: string
  readonly last_seen: Date
}

export interface Covered {
  readonly host: string
  /**
   * `protected`: asked about, and a route is enabled. `no_route`: asked about, and open. `denied`: asked about, without a route, and only for
   * who is signed in, as nothing is open by default. `not_asked`: a route is enabled, but no proxy has asked, and may be open.
   */
  readonly state: "protected" | "no_route" | "denied" | "not_asked"
  readonly lastSeen: Date | null
  /** Whether a route covers the whole host; else parts of it are open. */
  readonly whole: boolean
}

/** By host. `routes`: those enabled. */
export const coverageOf = (seen: ReadonlyArray<Seen>, routes: ReadonlyArray<{ readonly host: string; readonly path: string }>, defaultDeny: boolean): ReadonlyArray<Covered> => {
  const lastSeen = new Map(seen.map(({ host, last_seen }) => [host, last_seen]))
  const paths = Map.groupBy(routes, ({ host }) => host)
  return [...new Set([...lastSeen.keys(), ...paths.keys()])].toSorted().map((host) => {
    const [asked, own] = [lastSeen.has(host), paths.get(host) ?? []]
    return {
      host,
      state: !asked ? "not_asked" : own.length > 0 ? "protected" : defaultDeny ? "denied" : "no_route",
      lastSeen: lastSeen.get(host) ?? null,
      whole: own.some(({ path }) => path === "/") || defaultDeny
    }
  })
}
