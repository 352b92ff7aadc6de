/**
 * kill -9 of the daemon in each phase of a training, with a separate Postgres and with the embedded one, which ends
 * with the process. The training continues with the phase that it was in, and stores one model. With
 * `SIGNALBOX_TEST_LONG`, wake-word also runs in one process with other daemons, as in `signalbox up`, and this process
 * is killed.
 */
import { PgClient } from "@effect/sql-pg"
import { it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { portVariable } from "#core/daemon/KnownDaemons.ts"
import { socketTarget } from "#core/postgres/Bootstrap.ts"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { layoutOf } from "#core/postgres/ServerLayout.ts"
import { type Phase, phases } from "#daemons/wake-word/training/Phases.ts"
import { trainingTopic } from "#daemons/wake-word/training/Store.ts"
import { startFleet } from "#support/Fleet.ts"
import { until } from "#support/Frame.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"

/** Phases that are killed. Each kill takes ten seconds, until the cluster places the training again. */
const killedIn: Readonly<Record<"outside" | "embedded", ReadonlyArray<Phase>>> = long
  ? { outside: phases, embedded: phases }
  : { outside: ["samples_tts", "train", "save"], embedded: ["train"] }

/**
 * The end of a phase takes seconds when the phase has been begun once, so that each phase can be hit, also the short
 * ones. A killed process rolls the end back.
 */
const slowEnds = (killed: ReadonlyArray<Phase>) => [
  `create function wake_word.slow_end() returns trigger language plpgsql as $$
  begin
    if old.phase_attempts = 1 and old.phase in (${killed.map((phase) => `'${phase}'`).join(", ")}) and (new.phase <> old.phase or new.state = 'done') then perform pg_sleep(20); end if;
    return new;
  end $$`,
  `create trigger slow_end before update on wake_word.training for each row execute function wake_word.slow_end()`
]

const alone = ["wake-word"]
const together = ["identity", "comm-dispatcher", "wake-word"]

/** An answer of Postgres. The embedded one is away after a kill. */
const asked = <A, E>(statement: Effect.Effect<A, E>) =>
  statement.pipe(
    Effect.tapError(() => Effect.sleep(50)),
    Effect.retry({ times: 1_000 }),
    Effect.orDie
  )

const layouts = (long ? [alone, together] : [alone]).flatMap((names) =>
  (["outside", "embedded"] as const).map((postgres) => ({ names, postgres }))
)

it.live.each(layouts)(
  "continues with the phase that was killed, $names, $postgres Postgres",
  ({ names, postgres }) =>
    Effect.gen(function* () {
      const killed = killedIn[postgres]
      const database = postgres === "outside" ? yield* freshDatabase : undefined
      const dataDir = realpathSync(yield* temporaryDirectory("signalbox-wake"))
      const fleet = yield* startFleet({
        units: [{ name: "a", daemons: names }],
        dataDir,
        env: {
          ...(database === undefined ? { SIGNALBOX_FSYNC: "false" } : { DATABASE_URL: database.url }),
          SIGNALBOX_WAKE_WORD_NICENESS: "0",
          ...Object.fromEntries(names.map((name) => [portVariable(name), "0"]))
        }
      })
      const unit = fleet.unit("a")
      yield* until("the daemon is ready", Effect.sync(unit.isReady), 90)
      const target = database?.target ?? socketTarget(layoutOf(dataDir).socketDir, "signalbox", "signalbox")
      const sql = Context.get(
        yield* Layer.build(PgClient.layer({ ...toSqlPg(target), applicationName: "test", maxConnections: 1 })),
        PgClient.PgClient
      )
      for (const statement of slowEnds(killed)) yield* sql.unsafe(statement)
      yield* sql`insert into wake_word.training
          (tenant_id, word, language, name, seed, size, use_uploads, requested_by)
        values (1, 'computer', 'de', 'computer', 1, 'small', true, 'test')`
      yield* sql`select pg_notify('signalbox', ${trainingTopic})`
      const job = Effect.map(
        asked(sql<{ id: string; phase: string | null; state: string; attempts: number; problem: string | null }>`
          select id, phase, state, attempts, problem from wake_word.training`),
        ([row]) => row!
      )
      const ending = Effect.map(
        asked(sql`select 1 from pg_stat_activity where wait_event = 'PgSleep'
          and datname = current_database()`),
        (rows) => rows.length > 0
      )
      const folder = () => join(dataDir, "wake-word", "trainings")
      /** When each result was written. */
      const written = () =>
        readdirSync(folder(), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.name.endsWith(".json"))
          .map(({ name, parentPath }) => [name, statSync(join(parentPath, name)).mtimeMs] as const)
      let before: ReturnType<typeof written> = []
      for (const [index, phase] of killed.entries()) {
        yield* until(
          `the phase ${phase} ends`,
          Effect.flatMap(job, (row) => (row.phase === phase ? ending : Effect.succeed(false))),
          120
        )
        expect((yield* job).attempts).toBe(index + 1)
        // Results of earlier phases were not made again.
        const now = new Map(written())
        for (const [name, at] of before) if (name !== `${phase}.json`) expect(now.get(name), name).toBe(at)
        before = [...now].filter(([name]) => name !== `${phase}.json`)
        unit.kill()
        yield* asked(sql`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'
          and datname = current_database()`)
        expect((yield* job).phase).toBe(phase)
      }
      yield* until(
        "the training ends",
        Effect.map(job, ({ state }) => state !== "running"),
        120
      )
      const { attempts, problem, state } = yield* job
      expect([state, problem, attempts]).toEqual(["done", null, killed.length + 1])
      expect(yield* asked(sql`select name, active from wake_word.model`)).toEqual([{ name: "computer", active: false }])
      yield* until(
        "the folder is empty",
        Effect.sync(() => !existsSync(folder()) || readdirSync(folder()).length === 0),
        30
      )
    }).pipe(Effect.scoped),
  600_000
)
