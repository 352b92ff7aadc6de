/**
 * Real Postgres for tests: one embedded server per run (globalSetup), and a fresh database per test.
 *
 *   const { target, url } = yield* freshDatabase        // dropped with the scope
 *   PgClient.layer(toSqlPg(target))                     // client of this project
 *   new PgBoss(toPgPool(target))                        // client of package pg
 *   spawn(…, { env: { DATABASE_URL: url } })            // child process
 */
import { PgClient } from "@effect/sql-pg"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { socketTarget, withClient } from "#core/postgres/Bootstrap.ts"
import { type ConnectionTarget, toSqlPg, toUrl } from "#core/postgres/ConnectionTarget.ts"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import type { Migrations } from "#core/sql/Migrations.ts"
import { Effect, Scope, Semaphore } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlError } from "effect/sql"
import { templateOf } from "./DatabaseTemplate.ts"
import { countDatabase, countMigrations } from "./profile/SharedPostgres.ts"
import { temporaryParent } from "./TemporaryParent.ts"

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

/** Major version of the test servers; undefined: the packaged one. */
const major = process.env["SIGNALBOX_TEST_POSTGRES_MAJOR"]

/**
 * A separate server in a temporary directory, without fsync. For tests that stop, kill or fill a server, and for
 * benches.
 */
export const startServer = Effect.gen(function* () {
  return yield* start({
    dataDir: yield* temporaryDirectory("signalbox", temporaryParent()),
    fsync: false,
    ...(major === undefined ? {} : { major: Number(major) })
  })
})

/** Runs a statement as superuser. */
type RunAdmin = (statement: string) => Effect.Effect<unknown, SqlError.SqlError>

/**
 * Creates a database, empty or as a copy of `template`. The end of the scope disconnects its clients and drops it.
 * `runAdmin`: default is a new connection for each statement.
 */
export const freshDatabaseOn = (
  socketDir: string,
  template = "template1",
  runAdmin: RunAdmin = (statement) =>
    withClient(socketTarget(socketDir, "postgres", "postgres"), (sql) => sql.unsafe(statement))
) =>
  Effect.gen(function* () {
    const name = `test_${randomBytes(6).toString("hex")}`
    const superuser = socketTarget(socketDir, "postgres", name)
    yield* Effect.acquireRelease(
      // Without fsync, copying files is faster than the write-ahead log.
      runAdmin(`create database ${name} owner signalbox template ${template} strategy file_copy`),
      () =>
        countMigrations(superuser).pipe(
          Effect.andThen(runAdmin(`drop database if exists ${name} with (force)`)),
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

/** The worker's connection to the server of the test run, made at first use. Ends with the process. */
let admin: Promise<RunAdmin> | undefined

/**
 * Runs statements one after the other on a connection that all files of a worker share. Reason: a connection costs the
 * server as much processor time as a third of a new database.
 */
const runShared =
  (socketDir: string): RunAdmin =>
  (statement) =>
    Effect.flatMap(
      Effect.promise(
        () =>
          (admin ??= Effect.runPromise(
            Effect.gen(function* () {
              const sql = yield* PgClient.makeClient({
                ...toSqlPg(socketTarget(socketDir, "postgres", "postgres")),
                applicationName: "test databases"
              })
              const turn = yield* Semaphore.make(1)
              return (text: string) => turn.withPermits(1)(sql.unsafe(text))
            }).pipe(Scope.provide(Scope.makeUnsafe()), Effect.provide(Reactivity.layer))
          ))
      ),
      (run) => run(statement)
    )

const freshOnShared = (socketDir: string, template?: string) =>
  freshDatabaseOn(socketDir, template, runShared(socketDir))

/** A new empty database on the server of the test run. */
export const freshDatabase = Effect.flatMap(sharedServer, (socketDir) => freshOnShared(socketDir))

/**
 * A new database on the server of the test run with schema `core` and these schemas, as after `signalbox migrate`.
 * `queues`: job queues in it; daemons create missing ones themselves.
 */
export const migratedDatabase = (schemas: ReadonlyArray<Migrations>, queues: ReadonlyArray<string> = []) =>
  Effect.flatMap(sharedServer, (socketDir) =>
    Effect.flatMap(templateOf(socketDir, schemas, queues), (template) => freshOnShared(socketDir, template))
  )

/** A new database with the contents of another one on the server of the test run, to which nobody is connected. */
export const copyOf = (source: FreshDatabase) =>
  Effect.flatMap(sharedServer, (socketDir) => freshOnShared(socketDir, source.target.database))
