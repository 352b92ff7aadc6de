/**
 * What the printed configurations of other proxies have in common: the split layout, each daemon a process with a port
 * of its own, behind a proxy that does the gateway's chain. Pure. Dialects: Nginx, Caddy, Traefik.
 *
 * The intrusion check is not printed: bans of a split layout belong to the host's firewall, before any proxy.
 */
import { gatewaySettings } from "./GatewaySettings.ts"
import { mounted, type TableRow } from "./RouteTable.ts"
import { always, defaultPolicy } from "./SecurityHeaders.ts"

export interface ProxyOptions {
  /** Where the proxy listens, in its own dialect's sense. Default: port 80. */
  readonly port?: number
  /** Requests a second and at once that one client may send. Default: the gateway's own. */
  readonly rate?: number
  readonly burst?: number
  /** Host names of daemons with an address of their own. Default `<daemon>.example.org`. */
  readonly hostOf?: (daemon: string) => string
}

export interface Site {
  /** Undefined: every host that nobody else has. */
  readonly host: string | undefined
  readonly rows: ReadonlyArray<TableRow>
}

/** Header names a client may never set; the daemons strip them too. */
export const identityHeaders = [
  "X-Auth-User",
  "X-Auth-Name",
  "X-Auth-Role",
  "X-Auth-Email",
  "X-Auth-Groups",
  "Remote-User",
  "Remote-Name",
  "Remote-Email",
  "Remote-Groups"
] as const

/** Hop headers that say nothing once we have written ours. */
export const foreignForwarded = ["Forwarded", "X-Real-IP", "X-Original-URL", "X-Original-Method"] as const

/** What every answer carries that has not set it itself. */
export const answerHeaders: Readonly<Record<string, string>> = { ...always, "content-security-policy": defaultPolicy }

export const resolved = (options: ProxyOptions) => ({
  port: options.port ?? 80,
  rate: options.rate ?? gatewaySettings.rate.fallback!.value,
  burst: options.burst ?? gatewaySettings.burst.fallback!.value,
  hostOf: options.hostOf ?? ((daemon: string) => `${daemon}.example.org`)
})

/** One site for all, and one for each daemon with an address of its own, which has all paths there. */
export const sites = (table: ReadonlyArray<TableRow>, options: ProxyOptions): ReadonlyArray<Site> => {
  const { hostOf } = resolved(options)
  const apart = new Map(table.filter((row) => row.ownPort).map((row) => [row.daemon, row]))
  return [
    { host: undefined, rows: mounted(table) },
    ...Array.from(apart.values(), (row) => ({
      host: hostOf(row.daemon),
      rows: [{ ...row, prefix: "", authenticated: false }]
    }))
  ]
}

/** One row for each daemon: its upstream. */
export const upstreams = (table: ReadonlyArray<TableRow>): ReadonlyArray<TableRow> =>
  [...new Map(table.map((row) => [row.daemon, row])).values()].sort((a, b) => (a.daemon < b.daemon ? -1 : 1))

/** A prefix as a regular expression for the prefix and what is below it. */
export const pattern = (prefix: string): string => `^${prefix.replace(/[.~-]/g, "\\$&")}(/|$)`
