/** Runs started by events continue after their processes die. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { client, until } from "#support/Frame.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { runSupport } from "#support/Processes.ts"
import { workflowsRead } from "./WorkflowsRead.ts"

const start = Effect.fnUntraced(function* (url: string, variables: Readonly<Record<string, string>> = {}) {
  const env = { DATABASE_URL: url, SIGNALBOX_DATA_DIR: yield* temporaryDirectory(), ...variables }
  const running = yield* runSupport(
    "../daemons/comm-dispatcher/workflows/WorkflowProcess.ts",
    [],
    ["env", ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
  )
  return { ...running, pid: (yield* running.said).pid }
})

it.live(
  "a recorded step is not done again after kill -9, an interrupted one is, under the same key; each event has one run",
  () =>
    Effect.gen(function* () {
      const { target, url } = yield* freshDatabase
      const first = yield* start(url, { PROBE_SLOW: "600000" })
      const sql = yield* client(target)
      const emit = (
        n: number
      ) => sql`with e as (insert into core.event (type, source, tenant_id, data) values ('probe.happened', 'test', 7, ${sql.json({ n })}) returning 1)
      select pg_notify('signalbox', 'event') from e`
      const steps = (n: number) =>
        sql<{
          name: string
          key: string
          pid: number
        }>`select name, key, pid from probe.step where n = ${n} order by id`
      const runs = (state: string) =>
        Effect.map(
          sql<{ n: number }>`select count(*)::int as n from comm_dispatcher.run where state = ${state}`,
          ([row]) => row!.n
        )

      yield* workflowsRead({ sql })
      yield* emit(1)
      yield* until(
        "the second step has begun",
        Effect.map(steps(1), (rows) => rows.some(({ name }) => name === "second")),
        20
      )
      yield* first.kill("SIGKILL")
      const second = yield* start(url)
      yield* until(
        "the run is done",
        Effect.map(runs("done"), (n) => n === 1),
        30
      )
      const rows = yield* steps(1)
      assert.deepStrictEqual(
        rows.map(({ name, pid }) => [name, pid]),
        [
          ["first", first.pid],
          ["second", first.pid],
          ["second", second.pid],
          ["third", second.pid]
        ]
      )
      assert.strictEqual(rows[1]!.key, rows[2]!.key)
      assert.strictEqual(new Set(rows.map(({ key }) => key)).size, 3)
      const [{ shown }] = (yield* sql`select steps as shown from comm_dispatcher.run`) as unknown as [
        { shown: ReadonlyArray<any> }
      ]
      assert.deepStrictEqual(
        shown.map(({ detail, name, state, tries }) => [name, state, detail, tries]),
        [
          ["first", "done", "noted", undefined],
          ["second", "done", undefined, undefined],
          ["third", "done", "written", undefined]
        ]
      )

      // Kills the process several times with many runs in progress, and resets the cursor, so that every event is read
      // more than once.
      const many = Array.from({ length: 40 }, (_, index) => index + 2)
      let running = second
      for (const part of [many.slice(0, 20), many.slice(20)]) {
        yield* Effect.forEach(part, emit)
        yield* until(
          "some have begun",
          Effect.map(sql`select 1 from probe.step where n = ${part[3]!}`, (found) => found.length > 0),
          20
        )
        yield* running.kill("SIGKILL")
        yield* sql`update core.event_cursor set xid = '0', id = 0, since = null where consumer = 'comm-dispatcher.workflows'`
        running = yield* start(url, { PROBE_SLOW: "5" })
      }
      yield* until(
        "all are done",
        Effect.map(runs("done"), (n) => n === 41),
        60
      )
      const thirds = yield* sql<{ n: number }>`select n from probe.step where name = 'third' order by n`
      assert.deepStrictEqual(
        thirds.map(({ n }) => n),
        [1, ...many]
      )
      assert.deepStrictEqual(
        [
          ...(yield* sql`select 1 from (select n, name from probe.step group by n, name having count(distinct key) > 1) twice`)
        ],
        []
      )
      assert.strictEqual((yield* sql`select 1 from comm_dispatcher.run`).length, 41)
      // One job per step: the job of a dead process was given back, and events that were read again created none.
      assert.strictEqual((yield* sql`select 1 from pgboss.job where name = 'workflow.step'`).length, 3 * 41)
      yield* running.kill("SIGTERM")
    }),
  120_000
)
