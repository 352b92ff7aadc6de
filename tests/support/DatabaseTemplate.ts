/**
 * Databases with the schemas of a set of daemons, made once per test run and copied for each test. A copy costs a third
 * of the migrations. Holds tables and queues only: no row of a process, no key.
 */
import { NodeCrypto } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { ShardingConfig, SqlMessageStorage, SqlRunnerStorage } from "effect/cluster"
import { hash } from "node:crypto"
import { PgBoss } from "pg-boss"
import { socketTarget, withClient } from "#core/postgres/Bootstrap.ts"
import { toPgPool } from "#core/postgres/ConnectionTarget.ts"
import { createQueues } from "#core/jobs/JobEngine.ts"
import { coreMigrations } from "#core/sql/CoreSchema.ts"
import * as Database from "#core/sql/Database.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import * as Sql from "#core/sql/Sql.ts"

/** Templates that this worker has used: they exist, or cannot be made. */
const used = new Map<string, Promise<string | undefined>>()

/**
 * Name of a database on the server with schema `core`, the tables of the job engine and of the cluster, and these
 * schemas, and with these queues. Undefined when a migration fails: the test then sees the failure in its own database.
 */
export const templateOf = (
  socketDir: string,
  schemas: ReadonlyArray<Migrations.Migrations>,
  queues: ReadonlyArray<string>
): Effect.Effect<string | undefined> =>
  Effect.promise(() => {
    const name = `template_${hash("sha256", JSON.stringify([coreMigrations, schemas, queues])).slice(0, 16)}`
    const key = `${socketDir} ${name}`
    const known = used.get(key) ?? Effect.runPromise(ensure(socketDir, name, schemas, queues))
    used.set(key, known)
    return known
  })

/** Makes the template unless a worker has made it. Other workers wait for the lock. */
const ensure = (
  socketDir: string,
  name: string,
  schemas: ReadonlyArray<Migrations.Migrations>,
  queues: ReadonlyArray<string>
) =>
  withClient(socketTarget(socketDir, "postgres", "postgres"), (sql) =>
    Effect.gen(function* () {
      // The client has one connection, so the lock lasts until its end.
      const run = (text: string) => sql.unsafe(text)
      yield* run(`select pg_advisory_lock(hashtext('${name}'))`)
      const [found] = yield* sql<{
        datistemplate: boolean
      }>`select datistemplate from pg_database where datname = ${name}`
      if (found?.datistemplate === true) return name
      // A worker that was killed leaves a database without the mark.
      if (found !== undefined) yield* run(`drop database ${name} with (force)`)
      yield* run(`create database ${name} owner signalbox strategy file_copy`)
      yield* migrate(socketDir, name, schemas, queues)
      yield* run(`alter database ${name} with is_template true`)
      return name
    })
  ).pipe(Effect.catchCause(() => Effect.succeed(undefined)))

/** The cluster's storage makes its tables when it is built. */
const clusterTables = Layer.merge(
  SqlMessageStorage.layer.pipe(Layer.provide(NodeCrypto.layerDigest)),
  SqlRunnerStorage.layer
).pipe(Layer.provide(ShardingConfig.layer({})))

const migrate = (
  socketDir: string,
  name: string,
  schemas: ReadonlyArray<Migrations.Migrations>,
  queues: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const database = yield* Database.Database
    yield* Migrations.run(coreMigrations)
    yield* Effect.promise(async () => {
      const boss = new PgBoss({
        ...toPgPool(database.target),
        max: 1,
        supervise: false,
        schedule: false,
        migrate: true
      })
      await boss.start()
      await createQueues(boss, queues)
      await boss.stop({ graceful: false, close: true })
    })
    yield* Effect.scoped(Layer.build(clusterTables))
    for (const schema of schemas) yield* Migrations.run(schema)
  }).pipe(
    Effect.provide(
      Sql.layer.pipe(
        Layer.provideMerge(
          Database.layerTarget(socketTarget(socketDir, "signalbox", name), { applicationName: "template" })
        )
      )
    )
  )
