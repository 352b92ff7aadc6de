import { expect, it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg"
import { Console, Effect, Layer, Option } from "effect"
import { join } from "node:path"
import { Environment, settings } from "#core/config/Environment.ts"
import { socketTarget, withClient } from "#core/postgres/Bootstrap.ts"
import { toSqlPg, toUrl } from "#core/postgres/ConnectionTarget.ts"
import { start } from "#core/postgres/EmbeddedPostgres.ts"
import * as Database from "#core/sql/Database.ts"
import { backupFolder } from "#daemons/watchdog/backups/parts/Manifest.ts"
import * as Restic from "#daemons/watchdog/backups/engine/Restic.ts"
import { runBackup } from "#daemons/watchdog/backups/jobs/BackupRun.ts"
import { runDrill } from "#daemons/watchdog/backups/jobs/DrillRun.ts"
import { backups as migration } from "#daemons/watchdog/backups/migrations/0031_backups.ts"
import { restore as restoreCommand } from "#daemons/watchdog/backups/RestoreOperator.ts"
import { backupSettings } from "#daemons/watchdog/backups/Settings.ts"
import { recording } from "#support/CapturedOutput.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { databaseDirectory, preparedDirectory } from "#support/PreparedCluster.ts"
import { makeRepository } from "#support/ResticRepository.ts"
import { folders, password, postgres15, restoreFlags } from "./BackupSuite.ts"

const restore = (flags: Parameters<typeof restoreCommand>[0]) =>
  Effect.provideService(restoreCommand(flags), Console.Console, recording([]))

describePeers(["restic", "postgres15"], "the embedded Postgres", () => {
  it.live(
    "is copied while rows are written, and restores to one moment of them",
    () =>
      Effect.gen(function* () {
        const place = yield* folders
        const dataDir = yield* preparedDirectory("embedded")
        const server = yield* start({ dataDir, fsync: false })
        const target = socketTarget(server.socketDir, "signalbox", "signalbox")
        const layer = Layer.mergeAll(
          Database.layerTarget(target, { applicationName: "test", embedded: true }),
          PgClient.layer({ ...toSqlPg(target), applicationName: "test", maxConnections: 4 })
        )
        const env = { ...place.env, SIGNALBOX_DATA_DIR: dataDir }
        const config = yield* Effect.provideService(settings(backupSettings), Environment, env)
        const restic = Restic.make(config)
        makeRepository(place.repository, password)
        yield* Effect.gen(function* () {
          const sql = yield* PgClient.PgClient
          yield* sql`create schema watchdog`
          for (const statement of migration.statements) yield* sql.unsafe(statement)
          // Two tables that agree in every moment: each debit has its credit.
          yield* sql`create table debit (id int primary key, filler text)`
          yield* sql`create table credit (id int primary key, filler text)`
          const both = (id: number) =>
            sql.withTransaction(
              Effect.andThen(
                sql`insert into debit values (${id}, repeat('x', 500))`,
                sql`insert into credit values (${id}, repeat('y', 500))`
              )
            )
          let written = 0
          yield* Effect.forkScoped(Effect.forever(Effect.suspend(() => both(++written))))
          const steps: Array<string> = []
          const context = { config, restic, at: (step: string) => void steps.push(step) }
          const job = { id: "0b8f6a1e-0000-4000-8000-000000000001", type: "full", schedule: 'nightly, "x"' } as const
          const made = yield* runBackup(context, job)
          expect(made.problem).toBeNull()
          expect(steps).toEqual(expect.arrayContaining(["databases", "copy", "retention"]))

          const drill = yield* runDrill(context)
          expect(drill.report?.checks.filter(({ ok }) => !ok)).toEqual([])
          expect(drill.report?.checks.find(({ check }) => check === "postgres")?.detail).toContain("physical")

          // Restored by hand: the copy is of one moment, though rows were written all the time.
          const restored = yield* databaseDirectory("restored")
          const [snapshot] = yield* restic.snapshots
          yield* restic.restore({ snapshot: snapshot!.id, target: restored, include: [`/${backupFolder}`] })
          const again = yield* start({ dataDir: join(restored, backupFolder), fsync: false })
          const moment = yield* Effect.provide(
            Effect.flatMap(
              PgClient.PgClient,
              (sql) => sql<{ debits: number; credits: number; odd: number }>`
                select (select count(*)::int from debit) as debits, (select count(*)::int from credit) as credits,
                  (select count(*)::int from debit full join credit using (id)
                    where debit.id is null or credit.id is null) as odd`
            ),
            PgClient.layer({
              ...toSqlPg(socketTarget(again.socketDir, "signalbox", "signalbox")),
              applicationName: "test",
              maxConnections: 1
            })
          )
          expect(moment[0]!.debits).toBeGreaterThan(0)
          expect(moment[0]!.debits).toBe(moment[0]!.credits)
          expect(moment[0]!.odd).toBe(0)

          // No other database can load the copy.
          const refused = yield* Effect.flip(
            restore({ ...restoreFlags, target: join(place.root, "again"), into: Option.some("EMPTY_URL") }).pipe(
              Effect.provideService(Environment, {
                ...env,
                EMPTY_URL: toUrl(socketTarget(again.socketDir, "postgres", "template1"))
              })
            )
          )
          expect(refused.message).toContain("a copy of the files of the embedded server")
        }).pipe(Effect.provide(layer), Effect.scoped)
      }).pipe(Effect.scoped),
    300_000
  )

  it.live(
    "that is dumped, because pg_dump of its version is there, restores into a new data directory",
    () =>
      Effect.gen(function* () {
        const place = yield* folders
        const { target } = yield* postgres15
        const env = { ...place.env, SIGNALBOX_DATA_DIR: yield* databaseDirectory("embedded") }
        const config = yield* Effect.provideService(settings(backupSettings), Environment, env)
        const restic = Restic.make(config)
        makeRepository(place.repository, password)
        yield* Effect.gen(function* () {
          const sql = yield* PgClient.PgClient
          yield* sql`create schema watchdog`
          for (const statement of migration.statements) yield* sql.unsafe(statement)
          const job = { id: "0b8f6a1e-0000-4000-8000-000000000001", type: "databases", schedule: null } as const
          expect((yield* runBackup({ config, restic, at: () => {} }, job)).problem).toBeNull()
        }).pipe(
          Effect.provide(
            Layer.mergeAll(
              Database.layerTarget(target, { applicationName: "test", embedded: true }),
              PgClient.layer({ ...toSqlPg(target), applicationName: "test", maxConnections: 1 })
            )
          )
        )
        const restored = join(place.root, "restored")
        yield* restore({ ...restoreFlags, target: restored }).pipe(Effect.provideService(Environment, env))
        const again = yield* start({ dataDir: restored, fsync: false })
        const rows = yield* withClient(
          socketTarget(again.socketDir, "signalbox", "signalbox"),
          (sql) => sql`select name from watchdog.backup_schedule`
        )
        expect(rows).toEqual([{ name: "nightly" }])
      }).pipe(Effect.scoped),
    300_000
  )
})
