/**
 * Real Postgres for tests: one embedded server per run (globalSetup), and a fresh database per test.
 *
 *   const { target, url } = yield* freshDatabase        // dropped with the scope
 *   PgClient.layer(toSqlPg(target))                     // client of this project
 *   new PgBoss(toPgPool(target))                        // client of package pg
 *   spawn(…, { env: { DATABASE_URL: url } })            // child process
 */
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { socketTarget, withClient } from "#core/postgres/Bootstrap.ts"
import { type ConnectionTarget, toUrl } from "#core/postgres/ConnectionTarget.ts"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { Effect, type Scope } from "effect"

/** Environment variable with the socket directory of the test run's server. */
export const socketVariable = "SIGNALBOX_TEST_POSTGRES"

export interface FreshDatabase {
  /** Connects as role signalbox, the owner of the database. */
  readonly target: ConnectionTarget
  /** The same target as a DATABASE_URL. */
  readonly url: string
  /** Connects to the same database as superuser. */
  readonly superuser: ConnectionTarget
}

/** An empty directory; the end of the scope deletes it. */
export const temporaryDirectory = (name = "signalbox"): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), `${name}-`))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  )

/**
 * A separate server in a temporary directory, without fsync. For tests that stop, kill or fill a server, and for
 * benches.
 */
export const startServer = Effect.gen(function* () {
  return yield* start({ dataDir: yield* temporaryDirectory(), fsync: false })
})

/** Creates a database on the shared test server. The end of the scope disconnects its clients and drops it. */
export const freshDatabaseOn = (socketDir: string) =>
  Effect.gen(function* () {
    const admin = socketTarget(socketDir, "postgres", "postgres")
    const name = `test_${randomBytes(6).toString("hex")}`
    yield* Effect.acquireRelease(
      // Without fsync, copying files is faster than the write-ahead log.
      withClient(admin, (sql) => sql.unsafe(`create database ${name} owner signalbox strategy file_copy`)),
      () => Effect.ignore(withClient(admin, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`)))
    )
    const target = socketTarget(socketDir, "signalbox", name)
    return { target, url: toUrl(target), superuser: socketTarget(socketDir, "postgres", name) } satisfies FreshDatabase
  })

/** A new database on the server of the test run. */
export const freshDatabase = Effect.suspend(() => {
  const socketDir = process.env[socketVariable]
  return socketDir === undefined
    ? Effect.die(
        new Error(`${socketVariable} is not set: run this under vitest, or use startServer and freshDatabaseOn`)
      )
    : freshDatabaseOn(socketDir)
})
