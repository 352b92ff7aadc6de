/** Databases beside that of the suite: dumped, proven by a drill, and restored one by one. */
import { PgClient } from "@effect/sql-pg"
import { it } from "@effect/vitest"
import { Console, Effect, Layer, Option, Result } from "effect"
import { join } from "node:path"
import { describe, expect, it as test } from "vitest"
import { Environment, settings } from "#core/config/Environment.ts"
import { socketTarget, withClient } from "#core/postgres/Bootstrap.ts"
import { toSqlPg, toUrl } from "#core/postgres/ConnectionTarget.ts"
import * as Database from "#core/sql/Database.ts"
import * as Restic from "#daemons/watchdog/backups/engine/Restic.ts"
import { runBackup } from "#daemons/watchdog/backups/jobs/BackupRun.ts"
import { runDrill } from "#daemons/watchdog/backups/jobs/DrillRun.ts"
import { backups as migration } from "#daemons/watchdog/backups/migrations/0031_backups.ts"
import { folderOf, targetsOf } from "#daemons/watchdog/backups/parts/DatabaseUrls.ts"
import { rowCounter } from "#daemons/watchdog/backups/parts/FurtherDatabases.ts"
import { restore } from "#daemons/watchdog/backups/RestoreOperator.ts"
import { backupConflicts, backupSettings } from "#daemons/watchdog/backups/Settings.ts"
import { recording } from "#support/CapturedOutput.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { freshDatabaseOn } from "#support/Postgres.ts"
import { databaseDirectory } from "#support/PreparedCluster.ts"
import { makeRepository } from "#support/ResticRepository.ts"
import { folders, password, postgres15, restoreFlags } from "./BackupSuite.ts"

describe("the setting of further databases", () => {
  test("is a list of URLs, and its faults name no password", () => {
    const targets = Result.getOrThrow(targetsOf(" postgres://a:b@one/x, postgres://a@two:5433/*\n"))
    expect(targets.map(folderOf)).toEqual(["1-x@one:5432", "2-_@two:5433"])
    const wrong = targetsOf("postgres://a:b@one/x,mysql://a:secret@two/x")
    expect(wrong).toEqual(Result.fail("URL 2: the scheme must be postgres or postgresql"))
    expect(Result.getOrThrow(targetsOf(""))).toEqual([])
  })
})

test("rows are counted in the script of pg_restore", () => {
  const counter = rowCounter()
  for (const line of [
    "SET search_path = '';",
    'COPY public."odd (name)" (id, "a b") FROM stdin;',
    "1\tCOPY x FROM stdin;",
    "\\\\.",
    "\\.",
    "COPY public.empty FROM stdin;",
    "\\.",
    "--"
  ])
    counter.line(line)
  expect([...counter.rows]).toEqual([
    ['public."odd (name)"', 2],
    ["public.empty", 0]
  ])
})

describePeers(["restic", "postgres15"], "further databases", () => {
  it.live(
    "of a whole server are dumped, proven and restored; one that is away fails the job and not the backup",
    () =>
      Effect.gen(function* () {
        const place = yield* folders
        const { target } = yield* postgres15
        const superuser = socketTarget(target.host, "postgres", "*")
        const [shop, into] = [yield* freshDatabaseOn(target.host), yield* freshDatabaseOn(target.host)]
        yield* withClient(shop.superuser, (sql) =>
          sql.unsafe(
            `create table public."Order" as select n as id, E'line\\nline' as body from generate_series(1, 50) n`
          )
        )
        // A database that says it is larger than any disk.
        const huge = yield* freshDatabaseOn(target.host)
        yield* withClient(huge.superuser, (sql) =>
          Effect.all([
            sql.unsafe(`create function public.pg_database_size(name) returns bigint return 1e18`),
            sql.unsafe(`alter database ${huge.target.database} set search_path = public, pg_catalog`)
          ])
        )
        const env: Record<string, string> = {
          ...place.env,
          SIGNALBOX_DATA_DIR: yield* databaseDirectory("further"),
          SIGNALBOX_BACKUP_DATABASE_URLS: `${toUrl(superuser)},${toUrl({ ...superuser, database: "away" })}`,
          INTO_URL: toUrl(into.target)
        }
        const config = yield* Effect.provideService(settings(backupSettings), Environment, env)
        expect(backupConflicts(config)).toEqual([])
        const restic = Restic.make(config)
        makeRepository(place.repository, password)
        const context = { config, restic, at: () => {} }
        const layer = Layer.mergeAll(
          Database.layerTarget(target, { applicationName: "test" }),
          PgClient.layer({ ...toSqlPg(target), applicationName: "test", maxConnections: 1 })
        )
        yield* Effect.gen(function* () {
          const sql = yield* PgClient.PgClient
          yield* sql`create schema watchdog`
          for (const statement of migration.statements) yield* sql.unsafe(statement)
          const job = { id: "0b8f6a1e-0000-4000-8000-000000000001", type: "databases", schedule: null } as const
          const made = yield* runBackup(context, job)
          const problems = made.problem?.split("\n").toSorted() ?? []
          expect(problems).toEqual([
            expect.stringMatching(/^database away at .*: .*"away" does not exist$/),
            expect.stringMatching(
              `^database ${huge.target.database} at .*: .* MB free, but 1000000000269 MB are needed$`
            )
          ])
          expect(made.snapshot).not.toBeNull()

          const drill = yield* runDrill(context)
          expect(drill.problem).toBeNull()
          const rows = drill.report!.checks.find(({ check }) => check === `rows of ${shop.target.database}`)
          expect(rows).toMatchObject({ ok: true, detail: "1 tables have their 50 rows" })
          // The suite's own database is of that server too, and is not dumped twice.
          expect(drill.report!.checks.map(({ check }) => check)).not.toContain("rows of signalbox")
        }).pipe(Effect.provide(layer))

        const run = (database: string, name: string) =>
          restore({
            ...restoreFlags,
            target: join(place.root, name),
            into: Option.some("INTO_URL"),
            database: Option.some(database)
          }).pipe(Effect.provideService(Environment, env), Effect.provideService(Console.Console, recording([])))
        expect((yield* Effect.flip(run("nothing", "x"))).message).toMatch(/no further database nothing\. It has: 1-/)
        yield* run(shop.target.database, "shop")
        const orders = yield* withClient(into.superuser, (sql) => sql`select count(*)::int as n from public."Order"`)
        expect(orders).toEqual([{ n: 50 }])
      }).pipe(Effect.scoped),
    300_000
  )
})
