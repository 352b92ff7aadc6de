/** Failing steps in the frame: retried, not retried, and rolled back. */
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Events from "#core/events/Events.ts"
import { declaredQueues } from "#core/jobs/JobContract.ts"
import * as Migrations from "#core/sql/Migrations.ts"
import type { EventWorkflow, StepDone, StepServices } from "#daemons/comm-dispatcher/workflows/engine/EventWorkflow.ts"
import { StepRefused } from "#daemons/comm-dispatcher/workflows/engine/EventWorkflow.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { ledger } from "#daemons/comm-dispatcher/runs/migrations/0001_ledger.ts"
import { privateRanges } from "#daemons/comm-dispatcher/runs/migrations/0007_private_ranges.ts"
import { uncertainRuns } from "#daemons/comm-dispatcher/runs/migrations/0008_uncertain_runs.ts"
import { userRequests } from "#daemons/comm-dispatcher/runs/migrations/0009_user_requests.ts"
import { notifications } from "#daemons/comm-dispatcher/notifications/migrations/0002_notifications.ts"
import { workflows } from "#daemons/comm-dispatcher/workflows/migrations/0004_workflows.ts"
import { engineQueues, workflowEngine } from "#daemons/comm-dispatcher/workflows/engine/WorkflowEngine.ts"
import { inFrame, until } from "#support/Frame.ts"

const Happened = Events.define("probe.happened", Schema.Struct({ n: Schema.Int }))

type Run = (tries: number) => Effect.Effect<StepDone, unknown, StepServices>

/** Final state of a run with one step, and the number of attempts. */
const ending = (step: Run) =>
  inFrame(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Migrations.run({
        schema: "comm_dispatcher",
        steps: [ledger, notifications, workflows, privateRanges, uncertainRuns, userRequests]
      })
      yield* sql`create table written (n int)`
      let tries = 0
      const workflow: EventWorkflow = {
        name: "probe",
        title: "Probe",
        on: "probe.*",
        data: Happened.data,
        subject: () => "one",
        steps: [{ name: "only", run: () => Effect.suspend(() => step(++tries)) }]
      }
      yield* workflowEngine([workflow], { language: "en", minute: 100 }).pipe(
        Effect.provide(declaredQueues(engineQueues))
      )
      yield* Effect.flatMap(Supervisor, (supervisor) => supervisor.startRegistered)
      yield* until(
        "the reader is there",
        Effect.map(sql`select 1 from core.event_cursor`, (rows) => rows.length > 0)
      )
      yield* Effect.flatMap(Events.Events, (events) => events.emit(Happened, "test", { n: 1 }, { tenantId: 7 }))
      const ended = sql<{
        state: string
        reason: string | null
        steps: ReadonlyArray<any>
      }>`select state, reason, steps from comm_dispatcher.run where finished_at is not null`
      yield* until(
        "the run has ended",
        Effect.map(ended, (rows) => rows.length > 0),
        20
      )
      const [{ reason, state, steps }] = (yield* ended) as [any]
      return {
        tries,
        state,
        reason,
        detail: steps[0].detail,
        told: steps[0].tries,
        written: (yield* sql`select 1 from written`).length
      }
    }),
    { queues: engineQueues.map(({ queue }) => queue) }
  ) as Effect.Effect<any, unknown>

const write = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`insert into written values (1)`)

it.live(
  "a step that failed is tried again until it succeeds, and what it records is there once",
  () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* ending((tries) =>
          tries < 3 ? Effect.fail(new Error("not yet")) : Effect.succeed({ record: Effect.as(write, "there") })
        ),
        { tries: 3, state: "done", reason: null, detail: "there", told: 3, written: 1 }
      )
    }),
  120_000
)

it.live(
  "a step that goes on failing fails the run for good, and the run says why",
  () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ending(() => Effect.fail(new Error("the other side says no"))), {
        tries: 5,
        state: "failed",
        reason: "the other side says no (tried 5 times)",
        detail: "the other side says no",
        told: 5,
        written: 0
      })
    }),
  120_000
)

it.live(
  "what is refused is not tried again",
  () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ending(() => Effect.fail(new StepRefused({ reason: "there is no such place" }))), {
        tries: 1,
        state: "failed",
        reason: "there is no such place",
        detail: "there is no such place",
        told: 1,
        written: 0
      })
    }),
  120_000
)

it.live(
  "a step that breaks fails its run, and shows nothing of the inside",
  () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* ending(() => Effect.die(new Error("a secret"))), {
        tries: 5,
        state: "failed",
        reason: "the step failed unexpectedly; the log has the cause (tried 5 times)"
      })
    }),
  120_000
)

it.live(
  "what is recorded in part is rolled back with what failed",
  () =>
    Effect.gen(function* () {
      const torn = Effect.andThen(write, Effect.fail(new Error("torn")))
      assert.deepInclude(
        yield* ending((tries) => Effect.succeed({ record: tries < 2 ? torn : Effect.as(write, "whole") })),
        { tries: 2, state: "done", detail: "whole", written: 1 }
      )
    }),
  120_000
)
