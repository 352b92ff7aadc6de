/**
 * Creates the roles and the database of the suite in a new cluster. Idempotent; runs after every start and adoption of
 * the server.
 */
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlError } from "effect/sql"
import type { ConnectionTarget } from "./ConnectionTarget.ts"
import { toSqlPg } from "./ConnectionTarget.ts"
import { type EmbeddedPostgresError, failure } from "./EmbeddedPostgresError.ts"
import { ownerRole, superuserRole, tenantRole } from "./ServerAccess.ts"
import { socketPort } from "./ServerLayout.ts"

/** Name of the suite's database. */
export const databaseName = "signalbox"

/**
 * Key of the advisory lock that serialises concurrent starters. Must not be used by anything else in the database
 * `postgres`.
 */
const lockKey = 7_364_902

/** How long one query may take. Unit: seconds. Reason: a starting server answers at once, if only with a refusal. */
const answerTimeout = Duration.seconds(5)

/** Connection target of the server with this socket. */
export const socketTarget = (socketDir: string, user: string, database: string): ConnectionTarget => ({
  host: socketDir,
  port: socketPort,
  user,
  password: undefined,
  database,
  ssl: "disable"
})

/** Runs `body` with a client that has a single new connection. */
export const withClient = <A, E>(
  target: ConnectionTarget,
  body: (sql: PgClient.PgClient) => Effect.Effect<A, E>
): Effect.Effect<A, E | SqlError.SqlError> =>
  PgClient.makeClient({
    ...toSqlPg(target),
    connectTimeout: answerTimeout,
    applicationName: "signalbox bootstrap"
  }).pipe(Effect.flatMap(body), Effect.scoped, Effect.provide(Reactivity.layer))

/** Whether the server accepts a connection as superuser. */
export const answers = (socketDir: string): Effect.Effect<boolean> =>
  withClient(socketTarget(socketDir, superuserRole, "postgres"), (sql) => sql`select 1`).pipe(
    Effect.timeout(answerTimeout),
    Effect.isSuccess
  )

/**
 * Creates missing roles and the database. Resets the owner role to no superuser and no BYPASSRLS, in case somebody
 * changed it.
 */
export const ensure = (socketDir: string): Effect.Effect<void, EmbeddedPostgresError> =>
  withClient(socketTarget(socketDir, superuserRole, "postgres"), (sql) =>
    Effect.gen(function* () {
      yield* sql`select pg_advisory_lock(${lockKey})`
      const roles = yield* sql<{
        rolname: string
      }>`select rolname from pg_roles where rolname in (${ownerRole}, ${tenantRole})`
      const has = (role: string) => roles.some(({ rolname }) => rolname === role)
      yield* sql.unsafe(
        `${has(ownerRole) ? "alter" : "create"} role ${ownerRole} ` +
          "login nosuperuser nobypassrls nocreaterole nocreatedb noreplication"
      )
      yield* sql.unsafe(
        `${has(tenantRole) ? "alter" : "create"} role ${tenantRole} ` +
          "nologin nosuperuser nobypassrls nocreaterole nocreatedb noreplication"
      )
      yield* sql.unsafe(`grant ${tenantRole} to ${ownerRole}`)
      const databases = yield* sql`select 1 from pg_database where datname = ${databaseName}`
      if (databases.length === 0) yield* sql.unsafe(`create database ${databaseName} owner ${ownerRole}`)
    })
  ).pipe(
    Effect.mapError((error) =>
      failure("BootstrapFailed", `cannot create roles and database: ${error.message}`, "The next start tries again.")
    )
  )
