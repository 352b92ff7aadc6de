/**
 * Real Postgres for tests: one embedded server per run (globalSetup), and a fresh database per test.
 *
 *   const { target, url } = yield* freshDatabase        // dropped with the scope
 *   PgClient.layer(toSqlPg(target))                     // client of this project
 *   new PgBoss(toPgPool(target))                        // client of package pg
 *   spawn(…, { env: { DATABASE_URL: url } })            // child process
 */
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, statfsSync } from "node:fs"
import { freemem, tmpdir } from "node:os"
import { join } from "node:path"
import { socketTarget, withClient } from "#core/postgres/Bootstrap.ts"
import { type ConnectionTarget, toUrl } from "#core/postgres/ConnectionTarget.ts"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import type { Migrations } from "#core/sql/Migrations.ts"
import { Effect, type Scope } from "effect"
import { templateOf } from "./DatabaseTemplate.ts"
import { countDatabase, countMigrations } from "./profile/SharedPostgres.ts"

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

/** An empty directory; the end of the scope deletes it. `parent`: default is the system's temporary folder. */
export const temporaryDirectory = (name = "signalbox", parent = tmpdir()): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(parent, `${name}-`))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  )

/**
 * Free memory that the folder for test databases needs. Unit: bytes. Reason: a run keeps about 1 GB, most of it
 * write-ahead log.
 */
const memoryForDatabases = 4 * 1024 ** 3

/**
 * Parent folder of test databases: in memory when the machine has room, because each of the hundreds of databases is a
 * copy of several hundred files. On disk, creating a database takes about eight times as long.
 */
const databaseParent = (): string => {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm")
    return Math.min(bavail * bsize, freemem()) >= memoryForDatabases ? "/dev/shm" : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** Major version of the test servers; undefined: the packaged one. */
const major = process.env["SIGNALBOX_TEST_POSTGRES_MAJOR"]

/**
 * A separate server in a temporary directory, without fsync. For tests that stop, kill or fill a server, and for
 * benches.
 */
export const startServer = Effect.gen(function* () {
  return yield* start({
    dataDir: yield* temporaryDirectory("signalbox", databaseParent()),
    fsync: false,
    ...(major === undefined ? {} : { major: Number(major) })
  })
})

/**
 * Creates a database on the shared test server, empty or as a copy of `template`. The end of the scope disconnects its
 * clients and drops it.
 */
export const freshDatabaseOn = (socketDir: string, template = "template1") =>
  Effect.gen(function* () {
    const admin = socketTarget(socketDir, "postgres", "postgres")
    const name = `test_${randomBytes(6).toString("hex")}`
    const superuser = socketTarget(socketDir, "postgres", name)
    yield* Effect.acquireRelease(
      // Without fsync, copying files is faster than the write-ahead log.
      withClient(admin, (sql) =>
        sql.unsafe(`create database ${name} owner signalbox template ${template} strategy file_copy`)
      ),
      () =>
        countMigrations(superuser).pipe(
          Effect.andThen(withClient(admin, (sql) => sql.unsafe(`drop database if exists ${name} with (force)`))),
          Effect.ignore
        )
    )
    countDatabase(name)
    const target = socketTarget(socketDir, "signalbox", name)
    return { target, url: toUrl(target), superuser } satisfies FreshDatabase
  })

/** Socket directory of the test run's server. */
const sharedServer = Effect.suspend(() => {
  const socketDir = process.env[socketVariable]
  return socketDir === undefined
    ? Effect.die(
        new Error(`${socketVariable} is not set: run this under vitest, or use startServer and freshDatabaseOn`)
      )
    : Effect.succeed(socketDir)
})

/** A new empty database on the server of the test run. */
export const freshDatabase = Effect.flatMap(sharedServer, (socketDir) => freshDatabaseOn(socketDir))

/** A new database on the server of the test run with schema `core` and these schemas, as after `signalbox migrate`. */
export const migratedDatabase = (schemas: ReadonlyArray<Migrations>) =>
  Effect.flatMap(sharedServer, (socketDir) =>
    Effect.flatMap(templateOf(socketDir, schemas), (template) => freshDatabaseOn(socketDir, template))
  )

/** A new database with the contents of another one on the server of the test run, to which nobody is connected. */
export const copyOf = (source: FreshDatabase) =>
  Effect.flatMap(sharedServer, (socketDir) => freshDatabaseOn(socketDir, source.target.database))
