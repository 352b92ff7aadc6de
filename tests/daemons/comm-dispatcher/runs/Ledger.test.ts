/** The statements that write runs: each run begins once and finishes once. */
import { assert, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { Event } from "#core/events/Events.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import * as Ledger from "#daemons/comm-dispatcher/runs/Ledger.ts"
import { ledger } from "#daemons/comm-dispatcher/runs/migrations/0001_ledger.ts"
import { privateRanges } from "#daemons/comm-dispatcher/runs/migrations/0007_private_ranges.ts"
import { uncertainRuns } from "#daemons/comm-dispatcher/runs/migrations/0008_uncertain_runs.ts"
import { userRequests } from "#daemons/comm-dispatcher/runs/migrations/0009_user_requests.ts"
import * as RunViews from "#daemons/comm-dispatcher/runs/RunViews.ts"
import { notifications } from "#daemons/comm-dispatcher/notifications/migrations/0002_notifications.ts"
import { workflows } from "#daemons/comm-dispatcher/workflows/migrations/0004_workflows.ts"
import { inFrame } from "#support/Frame.ts"

const withTables = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  inFrame(
    Effect.andThen(
      Migrations.run({
        schema: "comm_dispatcher",
        steps: [ledger, notifications, workflows, privateRanges, uncertainRuns, userRequests]
      }),
      test
    ),
    { queues: [] }
  ) as Effect.Effect<A, unknown>

const at = "2030-01-01T00:00:00.000Z"
const running = [{ name: "one", state: "running", at }] as const
const done = [{ name: "one", state: "done", at }] as const

const newRun = (key: string, more: Partial<Ledger.NewRun> = {}): Ledger.NewRun => ({
  workflow: "alarm",
  trigger: {
    key,
    tenantId: 7,
    eventType: "email.alarm.received",
    subject: "INFO:MESSENGER+1",
    body: "text",
    sender: "guard@ok.test",
    source: { kind: "api" },
    receivedAt: new Date(at)
  },
  state: "running",
  reason: null,
  steps: running,
  mode: "parallel",
  ...more
})

const target = (position: number, dueAt: number | null): Ledger.NewTarget => ({
  position,
  chain: 0,
  step: position,
  hasFallback: position === 0,
  channel: "messenger",
  target: String(position),
  record: { dueAt }
})

const shown = (key: string) => Effect.map(RunViews.getRun(Ledger.runIdOf(key)), Option.getOrThrow)

it.live("a repeated trigger begins one run with its targets", () =>
  withTables(
    Effect.gen(function* () {
      const targets = [target(0, Date.parse(at)), target(1, null)]
      const ids = yield* Ledger.begin(newRun("a"), targets)
      assert.lengthOf(ids!, 2)
      assert.isUndefined(yield* Ledger.begin(newRun("a", { steps: done, state: "failed" }), targets))
      assert.deepStrictEqual(yield* Ledger.begin(newRun("b")), [])
      const run = yield* shown("a")
      assert.deepInclude(run, { state: "running", finished_at: null, workflow: "alarm", steps: running })
      assert.deepStrictEqual(
        run.targets.map(({ due_at, fallback_of, state }) => [state, due_at, fallback_of]),
        [
          ["pending", at, null],
          ["pending", null, 0]
        ]
      )
    })
  )
)

it.live("a run that begins in another state than running is finished", () =>
  withTables(
    Effect.gen(function* () {
      yield* Ledger.begin(newRun("a", { state: "rejected", reason: "no" }))
      const run = yield* shown("a")
      assert.deepInclude(run, { state: "rejected", reason: "no" })
      assert.isNotNull(run.finished_at)
      assert.deepStrictEqual(yield* Ledger.lockOpen([run.id]), [])
    })
  )
)

it.live("records steps of several runs at once, and never changes a finished run", () =>
  withTables(
    Effect.gen(function* () {
      for (const key of ["a", "b", "c"]) yield* Ledger.begin(newRun(key, { reason: `${key} begins` }))
      const [a, b, c] = ["a", "b", "c"].map(Ledger.runIdOf) as [string, string, string]
      yield* Ledger.record([])
      yield* Ledger.record([
        { id: a, state: "running", steps: done, reason: null },
        { id: b, state: "failed", steps: done, reason: 'it said "no"' }
      ])
      yield* Ledger.record([{ id: b, state: "done", steps: running, reason: "again" }])
      const end = ({ finished_at, reason, state, steps }: RunViews.RunView) => ({
        finished: finished_at !== null,
        reason,
        state,
        steps
      })
      assert.deepStrictEqual(
        [end(yield* shown("a")), end(yield* shown("b")), end(yield* shown("c"))],
        [
          { finished: false, reason: "a begins", state: "running", steps: done },
          { finished: true, reason: 'it said "no"', state: "failed", steps: done },
          { finished: false, reason: "c begins", state: "running", steps: running }
        ]
      )
      assert.deepStrictEqual(
        (yield* Ledger.lockOpen([c, b, a])).map(({ id }) => id),
        [a, c].toSorted()
      )
    })
  )
)

it.live("loads the event of an event's run, and acknowledges only runs of the named workflow", () =>
  withTables(
    Effect.gen(function* () {
      const event: Event = {
        id: 2n ** 60n,
        type: "order.made",
        source: "test",
        tenantId: null,
        userId: 3,
        data: { n: 1 },
        at: new Date(at)
      }
      const { trigger } = newRun("e")
      yield* Ledger.begin(newRun("e", { workflow: "probe", trigger: { ...trigger, event } }))
      yield* Ledger.begin(newRun("a"))
      const [e, a] = [Ledger.runIdOf("e"), Ledger.runIdOf("a")]
      assert.deepStrictEqual(yield* Ledger.loadEventRun(e), {
        workflow: "probe",
        tenant_id: 7,
        state: "running",
        steps: running,
        event
      })
      assert.isUndefined(yield* Ledger.loadEventRun(a))
      assert.isUndefined(yield* Ledger.acknowledge(e, "alarm", "anna"))
      assert.deepInclude(yield* Ledger.acknowledge(a, "alarm", "anna"), { tenant_id: 7, first: true, by: "anna" })
      assert.deepInclude(yield* Ledger.acknowledge(a, "alarm", "bert"), { first: false, by: "anna" })
    })
  )
)

it.live("prunes old finished runs of every workflow with their targets", () =>
  withTables(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Ledger.begin(newRun("old alarm", { state: "failed" }), [target(0, 0)])
      yield* Ledger.begin(newRun("old event", { state: "done", workflow: "probe" }))
      yield* Ledger.begin(newRun("new", { state: "done", workflow: "probe" }))
      yield* Ledger.begin(newRun("open"))
      yield* sql`update comm_dispatcher.run set created_at = now() - interval '9 days',
        finished_at = finished_at - interval '9 days' where trigger_key <> 'new'`
      assert.strictEqual(yield* Ledger.prune(8), 2)
      assert.deepStrictEqual(
        (yield* sql<{ key: string }>`select trigger_key as key from comm_dispatcher.run order by 1`).map(
          ({ key }) => key
        ),
        ["new", "open"]
      )
      assert.deepStrictEqual(yield* sql`select 1 from comm_dispatcher.target`, [])
    })
  )
)
