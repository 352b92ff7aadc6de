/**
 * Common parts of the printed proxy configurations. They describe the split layout: each daemon is a process with its
 * own port, and the proxy replaces the gateway. Pure. Formats: Nginx.ts, Caddy.ts, Traefik.ts.
 *
 * The intrusion check reads the files of SIGNALBOX_NETWORK_DIR, which our processes write (core/bans/BanFiles.ts). A
 * proxy needs a reload after a change (config/nftables).
 */
import { gatewaySettings } from "./GatewaySettings.ts"
import { mounted, type TableRow } from "./RouteTable.ts"
import { always, defaultPolicy } from "./SecurityHeaders.ts"

export interface ProxyOptions {
  /** Port that the proxy listens on. Default: 80. */
  readonly port?: number
  /**
   * Loopback port for programs of this machine, such as the mail server and the switch. It is the gateway's port, so
   * that their configuration is the same in both layouts. 0 or undefined: none.
   */
  readonly gatewayPort?: number
  /** Requests per second, and burst, that one client may send. Default: the gateway's settings. */
  readonly rate?: number
  readonly burst?: number
  /** Directory with the files of banned addresses. Undefined: the proxy refuses none. */
  readonly networkDir?: string | undefined
  /** Host names of daemons that have their own address. Default: `<daemon>.example.org`. */
  readonly hostOf?: (daemon: string) => string
}

export interface Site {
  /** Undefined: the default host, for all other host names. */
  readonly host: string | undefined
  readonly rows: ReadonlyArray<TableRow>
}

/** Headers that a client must never set. The daemons remove them too. */
export const identityHeaders = [
  "X-Auth-User",
  "X-Auth-Name",
  "X-Auth-Name-Encoded",
  "X-Auth-Role",
  "X-Auth-Email",
  "X-Auth-Groups",
  "Remote-User",
  "Remote-Name",
  "Remote-Email",
  "Remote-Groups"
] as const

/** Forwarding headers that are removed, because the proxy writes its own. */
export const foreignForwarded = ["Forwarded", "X-Real-IP", "X-Original-URL", "X-Original-Method"] as const

/** Paths of a daemon that proxies do not pass on: their details are for clients of this machine and for tokens. */
export const hiddenPaths = "^/(health|metrics)(/|$)"

/** Default headers of every response; a daemon's own header wins. */
export const answerHeaders: Readonly<Record<string, string>> = { ...always, "content-security-policy": defaultPolicy }

export const resolved = (options: ProxyOptions) => ({
  port: options.port ?? 80,
  gatewayPort: options.gatewayPort ?? 0,
  rate: options.rate ?? gatewaySettings.rate.fallback!.value,
  burst: options.burst ?? gatewaySettings.burst.fallback!.value,
  networkDir: options.networkDir,
  hostOf: options.hostOf ?? ((daemon: string) => `${daemon}.example.org`)
})

/** One common site, plus one site for each daemon with its own address, which serves all paths of that daemon. */
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

/** One row per daemon, as its upstream. */
export const upstreams = (table: ReadonlyArray<TableRow>): ReadonlyArray<TableRow> =>
  [...new Map(table.map((row) => [row.daemon, row])).values()].sort((a, b) => (a.daemon < b.daemon ? -1 : 1))

/** Regular expression that matches the prefix and everything below it. */
export const pattern = (prefix: string): string => `^${prefix.replace(/[.~-]/g, "\\$&")}(/|$)`
