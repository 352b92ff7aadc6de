/**
 * Prints the route table as a Caddyfile. Pure. Source: caddyserver.com, Caddyfile directives `route`, `handle`,
 * `reverse_proxy`, `header`. The packaged Caddy has no rate limit, so none is printed. No body limit is printed either,
 * because Caddy would answer 502 where the daemons answer 413.
 */
import {
  answerHeaders,
  foreignForwarded,
  hiddenPaths,
  pattern,
  type ProxyOptions,
  resolved,
  type Site,
  sites
} from "./ProxyConfig.ts"
import type { TableRow } from "./RouteTable.ts"
import { hstsMaxAge } from "./SecurityHeaders.ts"

/**
 * How long idle connections to a daemon are kept. Slightly less than the daemon's own 65 s, so that the daemon never
 * closes first.
 */
const keepalive = "60s"

/** Prints the configuration. */
export const caddy = (table: ReadonlyArray<TableRow>, options: ProxyOptions = {}): string => {
  const { gatewayPort, networkDir, port } = resolved(options)
  const bans =
    networkDir === undefined
      ? ["# Without SIGNALBOX_NETWORK_DIR, Caddy refuses no banned address."]
      : [`import ${networkDir}/banned*.caddyfile`]
  return [
    "# Signalbox daemons in separate processes; printed by `signalbox routes --caddy`.",
    "# Replace a bare port by your host name to let Caddy fetch the certificate.",
    "# Rate limits need the plugin caddy-ratelimit, which packaged Caddy lacks.",
    "(signalbox) {",
    ...indented([
      "reverse_proxy {args.0} {",
      ...indented([
        "# The following lines replace values that the client sent.",
        "header_up X-Forwarded-For {remote_host}",
        "header_up X-Forwarded-Host {http.request.hostport}",
        "header_up X-Forwarded-Proto {scheme}",
        ...["X-Auth-*", "Remote-*", ...foreignForwarded].map((name) => `header_up -${name}`),
        "transport http {",
        `  keepalive ${keepalive}`,
        "}"
      ]),
      "}"
    ]),
    "}",
    ...sites(table, options).flatMap((site) => block(site, `:${port}`, bans)),
    ...(gatewayPort === 0
      ? []
      : [
          "# For programs of this machine: the address of the gateway of `signalbox up`.",
          ...block(sites(table, options)[0]!, `:${gatewayPort}`, [], ["bind 127.0.0.1"])
        ]),
    ""
  ].join("\n")
}

const block = (
  site: Site,
  address: string,
  bans: ReadonlyArray<string>,
  first: ReadonlyArray<string> = []
): ReadonlyArray<string> => [
  `${site.host === undefined ? "" : `http://${site.host}`}${address} {`,
  ...indented([
    ...first,
    "header {",
    // `?` sets the header only when the daemon has not set it.
    ...indented(Object.entries(answerHeaders).map(([name, value]) => `?${name} "${value}"`)),
    "}",
    "@https protocol https",
    `header @https Strict-Transport-Security "max-age=${hstsMaxAge}"`,
    "route {",
    ...indented([
      ...bans,
      ...(site.host === undefined ? [] : [`@hidden path_regexp ${hiddenPaths}`, "respond @hidden 404"]),
      ...site.rows.flatMap((row, index) =>
        row.prefix === ""
          ? [`import signalbox 127.0.0.1:${row.port}`]
          : [
              `@path${index} path_regexp ${pattern(row.prefix)}`,
              `handle @path${index} {`,
              ...indented([
                ...(row.authenticated
                  ? [
                      `@anonymous${index} {`,
                      "  header !X-Service-Token",
                      "  header !Authorization",
                      "}",
                      `respond @anonymous${index} 401`
                    ]
                  : []),
                `import signalbox 127.0.0.1:${row.port}`
              ]),
              "}"
            ]
      ),
      ...(site.rows.some((row) => row.prefix === "") ? [] : ["handle {", "  respond 404", "}"])
    ]),
    "}"
  ]),
  "}"
]

const indented = (lines: ReadonlyArray<string>) => lines.map((line) => `  ${line}`)
