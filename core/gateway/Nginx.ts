/**
 * Prints the route table as nginx configuration, for `/etc/nginx/conf.d`. Pure. Source: nginx.org, modules core, proxy,
 * upstream, limit_req, headers, map. The operator adds TLS, because the table contains no certificates.
 */
import { maxBodySize } from "../http/BodyBounds.ts"
import { headersTimeout, maxHeaderSize, requestTimeout } from "../http/Listener.ts"
import { hstsMaxAge } from "./SecurityHeaders.ts"
import { body, contentType } from "../http/Problem.ts"
import {
  answerHeaders,
  foreignForwarded,
  hiddenPaths,
  identityHeaders,
  pattern,
  type ProxyOptions,
  resolved,
  type Site,
  sites,
  upstreams
} from "./ProxyConfig.ts"
import type { TableRow } from "./RouteTable.ts"

/** Idle connections kept per daemon. Reason: saves connection set-up for normal traffic. */
const keepalive = 16

/**
 * How long a WebSocket may be idle. Unit: seconds. Reason: ours send a ping every 30 s, so one idle for a minute is
 * dead.
 */
const quietTime = 75

/** Prints the configuration. */
export const nginx = (table: ReadonlyArray<TableRow>, options: ProxyOptions = {}): string => {
  const { burst, gatewayPort, networkDir, port, rate } = resolved(options)
  const limits = [
    `client_max_body_size ${maxBodySize};`,
    `client_header_timeout ${headersTimeout / 1000}s;`,
    `client_body_timeout ${requestTimeout / 1000}s;`,
    `large_client_header_buffers 4 ${maxHeaderSize / 1024}k;`,
    "limit_req_status 429;"
  ]
  const proxy = [
    "proxy_http_version 1.1;",
    "proxy_set_header Host $host;",
    "proxy_set_header Upgrade $http_upgrade;",
    "proxy_set_header Connection $signalbox_connection;",
    "# The following lines replace values that the client sent.",
    "proxy_set_header X-Forwarded-For $remote_addr;",
    "proxy_set_header X-Forwarded-Host $http_host;",
    "proxy_set_header X-Forwarded-Proto $scheme;",
    ...[...foreignForwarded, ...identityHeaders].map((name) => `proxy_set_header ${name} "";`),
    `proxy_read_timeout ${quietTime}s;`
  ]
  const headers = Object.entries(answerHeaders).map(
    ([name, value]) =>
      // A header set by the daemon wins: nginx omits a header with an empty value.
      `map $upstream_http_${variable(name)} $signalbox_${variable(name)} { default ""; "" "${value}"; }`
  )
  const adding = Object.keys(answerHeaders).map((name) => `add_header ${name} $signalbox_${variable(name)} always;`)
  // nginx's own error responses are problem details too (RFC 9457).
  const problems = [
    `default_type ${contentType};`,
    ...([401, 404, 413, 429, 503] as const).flatMap((status) => [
      `error_page ${status}${status === 503 ? " 502 504 =503" : ""} @problem_${status};`,
      `location @problem_${status} { return ${status} '${JSON.stringify(body(status))}'; }`
    ]),
    ...(networkDir === undefined
      ? []
      : ["error_page 403 @banned;", `location @banned { return 403 '${JSON.stringify(body("banned"))}'; }`])
  ]
  const server = (site: Site): ReadonlyArray<string> => [
    "server {",
    ...indented([
      `listen ${port}${site.host === undefined ? " default_server" : ""};`,
      ...(site.host === undefined && gatewayPort !== 0
        ? [
            "# For programs of this machine: the address of the gateway of `signalbox up`.",
            `listen 127.0.0.1:${gatewayPort} default_server;`
          ]
        : []),
      `server_name ${site.host ?? "_"};`,
      ...(networkDir === undefined ? [] : ["if ($signalbox_banned) { return 403; }"]),
      ...limits,
      ...adding,
      "add_header strict-transport-security $signalbox_hsts always;",
      ...proxy,
      ...(site.host === undefined ? [] : [`location ~ ${hiddenPaths} { return 404; }`]),
      ...site.rows.flatMap((row) => [
        `location ~ ${row.prefix === "" ? "^/" : pattern(row.prefix)} {`,
        ...indented([
          ...(row.rateLimited ? [`limit_req zone=signalbox burst=${burst} nodelay;`] : []),
          ...(row.authenticated ? ['if ($signalbox_credentials = "") { return 401; }'] : []),
          ...(row.maxBody === undefined ? [] : [`client_max_body_size ${row.maxBody};`]),
          `proxy_pass http://${upstreamName(row.daemon)};`
        ]),
        "}"
      ]),
      ...(site.rows.some((row) => row.prefix === "") ? [] : ["location / { return 404; }"]),
      ...problems
    ]),
    "}"
  ]
  return [
    "# Signalbox daemons in separate processes; printed by `signalbox routes --nginx`.",
    `limit_req_zone $binary_remote_addr zone=signalbox:10m rate=${rate}r/s;`,
    ...(networkDir === undefined
      ? ["# Without SIGNALBOX_NETWORK_DIR, nginx refuses no banned address."]
      : [`geo $signalbox_banned { default 0; include ${networkDir}/banned.nginx.conf; }`]),
    'map $http_upgrade $signalbox_connection { default upgrade; "" ""; }',
    'map "$http_x_service_token$http_authorization" $signalbox_credentials { default 1; "" ""; }',
    `map $scheme $signalbox_hsts { default ""; https "max-age=${hstsMaxAge}"; }`,
    ...headers,
    ...upstreams(table).flatMap((row) => [
      `upstream ${upstreamName(row.daemon)} {`,
      ...indented([`server 127.0.0.1:${row.port};`, `keepalive ${keepalive};`]),
      "}"
    ]),
    ...sites(table, options).flatMap(server),
    ""
  ].join("\n")
}

/** Part of an nginx variable's name for a header. */
const variable = (header: string) => header.replaceAll("-", "_")

const upstreamName = (daemon: string) => `signalbox_${daemon.replaceAll("-", "_")}`
const indented = (lines: ReadonlyArray<string>) => lines.map((line) => `  ${line}`)
