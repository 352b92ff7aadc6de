/**
 * kill -9 of the daemon during a rebuild. Another process continues it, asks for no text twice, and accounts for each.
 * The long run has 10,000 texts.
 */
import { PgClient } from "@effect/sql-pg"
import { it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { realpathSync } from "node:fs"
import { expect } from "vitest"
import { portVariable } from "#core/daemon/KnownDaemons.ts"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { startFleet } from "#support/Fleet.ts"
import { until } from "#support/Frame.ts"
import { LibreTranslateDouble } from "#support/LibreTranslateDouble.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"

const count = long ? 10_000 : 600

/** Answers before each kill. */
const kills = long ? [20, 80, 150] : [4]

/** Time of an answer, so that the process is killed while some are under way. Unit: milliseconds. */
const delay = 100

it.live(
  "continues the rebuild, and asks for no text twice",
  () =>
    Effect.gen(function* () {
      const engine = new LibreTranslateDouble({ delay: () => delay })
      const url = yield* Effect.acquireRelease(
        Effect.promise(() => engine.start()),
        () => Effect.promise(() => engine.stop())
      )
      const database = yield* freshDatabase
      const sql = Context.get(
        yield* Layer.build(PgClient.layer({ ...toSqlPg(database.target), applicationName: "test", maxConnections: 1 })),
        PgClient.PgClient
      )
      const fleet = yield* startFleet({
        units: [{ name: "a", daemons: ["localization"] }],
        dataDir: realpathSync(yield* temporaryDirectory("signalbox-texts")),
        env: { DATABASE_URL: database.url, [portVariable("localization")]: "0", SIGNALBOX_TRANSLATE_URL: url }
      })
      const unit = fleet.unit("a")
      yield* until("the daemon is ready", Effect.sync(unit.isReady), 90)
      yield* sql`update localization.translation set shipped = null`
      yield* sql`delete from localization.source_text`
      yield* sql`insert into localization.source_text (key, override)
        select 'k.' || n, 'Text number ' || n || ' of {name}' from generate_series(1, ${count}) n`
      yield* fleet.cli("localization", "rebuild", "--language", "de", "--no-wait")
      for (const answers of kills) {
        yield* until(
          `${answers} requests`,
          Effect.sync(() => engine.calls.length >= answers && unit.isReady()),
          120
        )
        expect(unit.kill()).toBe(true)
      }
      const rebuild = Effect.map(
        sql<{ state: string; total: number; translated: number; kept: number; uncertain: number }>`
          select state, total, translated, kept, uncertain from localization.rebuild`,
        ([row]) => row!
      )
      yield* until(
        "the rebuild ends",
        Effect.map(rebuild, ({ state }) => state !== "running" && state !== "waiting"),
        180
      )
      const done = yield* rebuild
      expect([done.state, done.total, done.kept]).toEqual(["done", count, 0])
      expect(done.translated + done.uncertain).toBe(count)
      // At each kill two requests of at most fifty texts were under way.
      expect(done.uncertain).toBeLessThanOrEqual(kills.length * 100)
      expect(Math.max(...engine.asked.values())).toBe(1)
      const [stored] = yield* sql<{ count: number }>`select count(*)::int as count from localization.translation
        where locale = 'de' and auto_translated`
      expect(stored!.count).toBe(done.translated)
      expect(engine.refusals).toEqual([])
    }).pipe(Effect.scoped),
  300_000
)
