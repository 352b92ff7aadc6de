/** Rows of the protected routes. Functions run in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hostOf } from "../edge/Host.ts"
import { maxPath, plainestOf } from "../edge/Paths.ts"
import type { Role } from "../edge/RouteIndex.ts"

export interface ProtectedRoute {
  readonly id: number
  readonly host: string
  readonly path: string
  readonly description: string
  readonly required_role: Role
  readonly enabled: boolean
  readonly created_at: Date
}

const columns = (sql: SqlClient.SqlClient) =>
  sql`id, host, path, description, required_role, enabled = 1 as enabled, created_at`

/**
 * Host and path in their stored form; undefined when invalid. The path is fully decoded and without a final slash, so
 * that every spelling of it matches. Pure.
 */
export const routeKeyOf = (
  host: string,
  path: string
): { readonly host: string; readonly path: string } | undefined => {
  const name = hostOf(host)
  if (name === undefined || !path.startsWith("/") || path.length > maxPath / 4 || /[\0-\x20\x7f?#]/.test(path))
    return undefined
  return { host: name, path: plainestOf(path) }
}

export const list = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<ProtectedRoute>`select ${columns(sql)} from edge_auth.protected_routes
    where removed_at is null order by host, path`
})

/** Adds a route; undefined when host and path have one already. */
export const add = Effect.fnUntraced(function* (
  place: { readonly host: string; readonly path: string },
  role: Role,
  description: string
) {
  const sql = yield* SqlClient.SqlClient
  const [row] =
    yield* sql<ProtectedRoute>`insert into edge_auth.protected_routes (host, path, required_role, description)
    values (${place.host}, ${place.path}, ${role}, ${description})
    on conflict (host, path) where removed_at is null do nothing returning ${columns(sql)}`
  return row
})

/** Enables or disables a route; false when it does not exist. */
export const turn = Effect.fnUntraced(function* (id: number, on: boolean) {
  const sql = yield* SqlClient.SqlClient
  return (
    (yield* sql`update edge_auth.protected_routes set enabled = ${on ? 1 : 0}
      where id = ${id} and removed_at is null returning 1`).length > 0
  )
})

/**
 * Marks a route as removed; false when it does not exist. Housekeeping deletes the row after projections have read it.
 */
export const remove = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  return (
    (yield* sql`update edge_auth.protected_routes set removed_at = now()
      where id = ${id} and removed_at is null returning 1`).length > 0
  )
})
