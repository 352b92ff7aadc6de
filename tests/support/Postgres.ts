/**
 * Real Postgres for tests: one embedded server per run (globalSetup), a fresh database per test.
 *
 *   const { target, url } = yield* freshDatabase        // dropped with the scope
 *   PgClient.layer(toSqlPg(target))                     // ours
 *   new PgBoss(toPgPool(target))                        // pg
 *   spawn(…, { env: { DATABASE_URL: url } })            // a process of ours
 */
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { socketTarget, withClient } from "#core/postgres/Bootstrap.ts"
import { type ConnectionTarget, toUrl } from "#core/postgres/ConnectionTarget.ts"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import { Effect, type Scope } from "effect"

/** Environment variable with the socket directory of the run's server. */
export const socketVariable = "SIGNALBOX_TEST_POSTGRES"

export interface FreshDatabase {
  /** As role signalbox, who owns the database. */
  readonly target: ConnectionTarget
  /** The same as DATABASE_URL. */
  readonly url: string
  /** As superuser, into the same database. */
  readonly superuser: ConnectionTarget
}

/** An empty directory that goes with the scope. */
export const temporaryDirectory = (name = "signalbox"): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), `${name}-`))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  )

/**
 * A server of one's own in a temporary directory, without durability. For what stops, kills or fills a server, and for
 * benches.
 */
export const startServer = Effect.gen(function* () {
  return yield* start({ dataDir: yield* temporaryDirectory(), fsync: false })
})

/** A new database on that server, dropped at the scope's end with whoever is still connected. */
export const freshDatabaseOn = (socketDir: string) =>
  Effect.gen(function* () {
    const admin = socketTarget(socketDir, "postgres", "postgres")
    const name = `test_${randomBytes(6).toString("hex")}`
    yield* Effect.acquireRelease(
      // Copying files is the cheaper way without fsync.
      withClient(admin, (sql) => sql.unsafe(`create database ${name} owner signalbox strategy file_copy`)),
      () => Effect.ignore(withClient(admin, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`)))
    )
    const target = socketTarget(socketDir, "signalbox", name)
    return { target, url: toUrl(target), superuser: socketTarget(socketDir, "postgres", name) } satisfies FreshDatabase
  })

/** A new database on the run's server. */
export const freshDatabase = Effect.suspend(() => {
  const socketDir = process.env[socketVariable]
  return socketDir === undefined
    ? Effect.die(
        new Error(`${socketVariable} is not set: run this under vitest, or use startServer and freshDatabaseOn`)
      )
    : freshDatabaseOn(socketDir)
})
