/**
 * Route table: maps path prefixes to daemons. The gateway dispatches by it and `signalbox routes` prints it. A prefix
 * matches whole path segments; the longest prefix wins. Of a daemon with its own address, only routes with `atGateway`
 * are behind the gateway.
 */
import type { HttpApi } from "effect/http-api"
import type { Route } from "../daemon/Daemon.ts"
import { endpointsOf } from "../http/Methods.ts"

/** Properties of a daemon that the table needs. */
export interface TableDaemon {
  readonly name: string
  readonly title: string
  readonly port: number
  readonly ownPort: boolean
  readonly routes: ReadonlyArray<Route>
  readonly api: HttpApi.Constraint
}

export interface TableRow {
  readonly prefix: string
  readonly daemon: string
  readonly authenticated: boolean
  readonly rateLimited: boolean
  /** Largest request body. Unit: bytes. Undefined: the default limit. */
  readonly maxBody?: number
  /** Port of the daemon when it runs in its own process. */
  readonly port: number
  readonly ownPort: boolean
  /** Set for a path that the gateway serves although its daemon has its own address. */
  readonly atGateway?: boolean
}

/** Paths served by the gateway itself; no daemon may claim them. */
export const ownPaths = ["/", "/health", "/ready", "/metrics", "/openapi.json", "/docs"] as const

/** All rows, longest prefix first. `portOf` returns the configured port. */
export const rows = (
  fleet: ReadonlyArray<TableDaemon>,
  portOf: (daemon: TableDaemon) => number = (daemon) => daemon.port
): ReadonlyArray<TableRow> =>
  fleet
    .flatMap((daemon) =>
      daemon.routes.map((route) => ({
        prefix: route.prefix,
        daemon: daemon.name,
        authenticated: route.authenticated ?? false,
        rateLimited: route.rateLimited ?? true,
        ...(route.maxBody === undefined ? {} : { maxBody: route.maxBody }),
        ...(daemon.ownPort && route.atGateway === true ? { atGateway: true } : {}),
        port: portOf(daemon),
        ownPort: daemon.ownPort
      }))
    )
    .sort((a, b) => b.prefix.length - a.prefix.length || (a.prefix < b.prefix ? -1 : 1))

/** The rows that the gateway dispatches by. */
export const mounted = (table: ReadonlyArray<TableRow>): ReadonlyArray<TableRow> =>
  table.filter((row) => !row.ownPort || row.atGateway === true)

/** Whether `path` is the prefix or below it. */
export const covers = (prefix: string, path: string): boolean =>
  path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === "/")

/** The row for `path`, without query. `table` must be ordered as by `rows`. */
export const match = (table: ReadonlyArray<TableRow>, path: string): TableRow | undefined =>
  table.find((row) => covers(row.prefix, path))

/** Describes invalid routes: malformed prefixes, prefixes claimed twice, and endpoints without a route. */
export const problems = (fleet: ReadonlyArray<TableDaemon>): ReadonlyArray<string> => {
  const table = mounted(rows(fleet))
  const found: Array<string> = []
  table.forEach((row, index) => {
    if (!/^(\/[\w.~-]+)+$/.test(row.prefix))
      found.push(`${row.daemon}: ${row.prefix} is not a path prefix such as /api/v1/things`)
    if (ownPaths.some((path) => path !== "/" && covers(path, row.prefix))) {
      found.push(`${row.daemon}: ${row.prefix} is reserved for the gateway`)
    }
    const earlier = table.findIndex((other) => other.prefix === row.prefix)
    if (earlier < index) found.push(`${table[earlier]!.daemon} and ${row.daemon} both declare ${row.prefix}`)
  })
  for (const daemon of fleet) {
    if (daemon.ownPort) continue
    for (const path of new Set(endpointsOf(daemon.api).map((endpoint) => endpoint.path))) {
      const row = match(table, path)
      if (row?.daemon !== daemon.name) {
        found.push(
          `${daemon.name}: ${path} is ${row === undefined ? "under none of its routes" : `answered by ${row.daemon}`}`
        )
      }
    }
  }
  return found
}

/** The table as aligned text columns. */
export const text = (table: ReadonlyArray<TableRow>): string => {
  const cells = [
    ["PREFIX", "DAEMON", "PORT", "NOTE"],
    ...table.map((row) => [
      row.prefix,
      row.daemon,
      String(row.port),
      [
        row.atGateway === true ? "own address and gateway" : row.ownPort ? "own address" : "",
        row.authenticated ? "credentials needed" : ""
      ]
        .filter(Boolean)
        .join(", ")
    ])
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((line) => line[column]!.length)))
  return (
    cells
      .map((line) =>
        line
          .map((cell, i) => (i < 3 ? cell.padEnd(widths[i]!) : cell))
          .join("  ")
          .trimEnd()
      )
      .join("\n") + "\n"
  )
}

/** The table as JSON. */
export const json = (table: ReadonlyArray<TableRow>): string => `${JSON.stringify(table, null, 2)}\n`
