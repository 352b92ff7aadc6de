/** Subject of the measurement: the shipped edge-auth over a fresh database, with users, sessions and routes. */
import { Effect } from "effect"
import { hash } from "node:crypto"
import { withClient } from "#core/postgres/Bootstrap.ts"
import type { FreshDatabase } from "#support/Postgres.ts"
import { type OneDaemon, startDaemon } from "../OneDaemon.ts"
import type { FloorOrder } from "./Floor.ts"

const users = 1_000
/** Sessions at the start of the load. */
export const sessions = 10_000
/** Sessions added for the memory figure. */
export const moreSessions = 100_000
const hosts = 50
const paths = ["/", "/admin", "/private/area"] as const

/** `tokenOf`: token of the n-th session. `hostOf`: n-th protected host. Both count from 0. */
export const tokenOf = (n: number): string => hash("sha256", `session ${n}`, "hex")
export const hostOf = (n: number): string => `app${n % hosts}.example.org`

const storedOf = (n: number): string => hash("sha256", tokenOf(n), "hex")
const userOf = (n: number): number => (n % users) + 1
const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

export interface Subject extends OneDaemon {
  /** The same data for the baseline. */
  readonly order: FloorOrder
  readonly addSessions: () => Promise<void>
}

export const start = async (database: FreshDatabase, dataDir: string): Promise<Subject> => {
  const daemon = await startDaemon("edge-auth", database, dataDir, { AUTH_COOKIE_DOMAIN: "example.org" })
  const begin = (from: number, count: number) =>
    Effect.runPromise(
      withClient(database.superuser, (sql) =>
        Effect.gen(function* () {
          yield* sql`insert into edge_auth.sessions (token, user_id, ip, user_agent, expires_at)
          select t.token, t.user_id, '203.0.113.1', 'Mozilla/5.0', now() + interval '1 day'
          from unnest(${range(from, count).map(storedOf)}::text[], ${range(from, count).map(userOf)}::int[]) t (token, user_id)`
          yield* sql`select pg_notify('signalbox', 'edge-auth')`
        })
      )
    )
  try {
    await Effect.runPromise(
      withClient(database.superuser, (sql) =>
        Effect.gen(function* () {
          yield* sql`insert into edge_auth.users (email, password, name, status, role)
          select 'user' || n || '@example.org', '', 'Person ' || n, 'active', 'user' from generate_series(1, ${users}::int) n`
          yield* sql`insert into edge_auth.protected_routes (host, path, required_role)
          select 'app' || n || '.example.org', path, case path when '/admin' then 'admin' else 'user' end from generate_series(0, ${hosts - 1}::int) n, unnest(${[...paths]}::text[]) path`
        })
      )
    )
    await begin(0, sessions)
  } catch (error) {
    await daemon.end()
    throw error
  }
  return {
    ...daemon,
    order: {
      sessions: range(0, sessions).map((n) => [storedOf(n), userOf(n)] as const),
      users: range(1, users).map(
        (n) => [n, { email: `user${n}@example.org`, name: `Person ${n}`, role: "user" }] as const
      ),
      routes: range(0, hosts).map((n) => [hostOf(n), paths] as const)
    },
    addSessions: () => begin(sessions, moreSessions)
  }
}
