/**
 * Prints the route table as dynamic configuration of Traefik 3 (file provider). Pure. The output is JSON, which is
 * valid YAML (YAML 1.2 §1.3). Source: doc.traefik.io, HTTP routers, services, middlewares headers, rateLimit.
 */
import {
  foreignForwarded,
  hiddenPaths,
  identityHeaders,
  pattern,
  type ProxyOptions,
  resolved,
  sites,
  upstreams
} from "./ProxyConfig.ts"
import type { TableRow } from "./RouteTable.ts"
import { always, hstsMaxAge } from "./SecurityHeaders.ts"

/** Prints the configuration. */
export const traefik = (table: ReadonlyArray<TableRow>, options: ProxyOptions = {}): string => {
  const { burst, gatewayPort, rate } = resolved(options)
  const routers = sites(table, options).flatMap((site) =>
    site.rows.map((row, index) => [
      `${site.host === undefined ? "signalbox" : "apart"}-${row.daemon}-${index}`,
      {
        rule:
          site.host === undefined
            ? `PathRegexp(\`${pattern(row.prefix)}\`)`
            : `Host(\`${site.host}\`) && !PathRegexp(\`${hiddenPaths}\`)`,
        // Same order as the table: longest prefix first.
        priority: site.host === undefined ? 1000 + row.prefix.length : 10_000,
        middlewares: ["signalbox-headers", ...(row.rateLimited ? ["signalbox-rate"] : [])],
        service: row.daemon
      }
    ])
  )
  const configuration = {
    http: {
      routers: Object.fromEntries(routers),
      services: Object.fromEntries(
        upstreams(table).map((row) => [
          row.daemon,
          { loadBalancer: { passHostHeader: true, servers: [{ url: `http://127.0.0.1:${row.port}` }] } }
        ])
      ),
      middlewares: {
        "signalbox-headers": {
          headers: {
            // An empty value removes the header.
            customRequestHeaders: Object.fromEntries(
              [...foreignForwarded, ...identityHeaders].map((name) => [name, ""])
            ),
            // Without a content security policy: Traefik would replace a daemon's own.
            customResponseHeaders: always,
            stsSeconds: hstsMaxAge
          }
        },
        "signalbox-rate": { rateLimit: { average: rate, burst, sourceCriterion: { ipStrategy: { depth: 0 } } } }
      }
    }
  }
  return [
    "# Signalbox daemons in separate processes; printed by `signalbox routes --traefik`.",
    "# Traefik sets X-Forwarded-*, reuses connections and forwards WebSockets; leave forwardedHeaders.insecure off.",
    ...(gatewayPort === 0
      ? []
      : [
          "# For programs of this machine, add an entry point with the address of the gateway of `signalbox up` to the",
          `# static configuration: entryPoints.signalbox.address = "127.0.0.1:${gatewayPort}".`
        ]),
    "# Traefik has no list of refused addresses without a plugin: the daemons that face strangers and the firewall",
    "# (config/nftables) refuse banned clients.",
    "# Traefik cannot require a credential header and limits bodies only by buffering; the daemons do both.",
    JSON.stringify(configuration, null, 2),
    ""
  ].join("\n")
}
