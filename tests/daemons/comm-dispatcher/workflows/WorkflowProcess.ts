/**
 * A process of the fleet that runs the workflow `probe` with three steps, for tests that kill it. Prints one line of
 * JSON when ready.
 *
 * Environment: DATABASE_URL; PROBE_SLOW (duration of the second step in milliseconds, default 0).
 *
 * The steps record their actions in `probe.step`. The third step writes in the transaction that records it.
 */
import { Cause, Effect, Fiber, Layer, References, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Daemon from "#core/daemon/Daemon.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Environment } from "#core/config/Environment.ts"
import * as Suite from "#core/daemon/Suite.ts"
import { ledger } from "#daemons/comm-dispatcher/runs/migrations/0001_ledger.ts"
import { privateRanges } from "#daemons/comm-dispatcher/runs/migrations/0007_private_ranges.ts"
import { uncertainRuns } from "#daemons/comm-dispatcher/runs/migrations/0008_uncertain_runs.ts"
import { userRequests } from "#daemons/comm-dispatcher/runs/migrations/0009_user_requests.ts"
import { notifications } from "#daemons/comm-dispatcher/notifications/migrations/0002_notifications.ts"
import { workflows } from "#daemons/comm-dispatcher/workflows/migrations/0004_workflows.ts"
import type { EventWorkflow, WorkflowStep } from "#daemons/comm-dispatcher/workflows/engine/EventWorkflow.ts"
import { engineQueues, workflowEngine } from "#daemons/comm-dispatcher/workflows/engine/WorkflowEngine.ts"
import { SystemdNotify } from "#protocols/systemd/SystemdNotify.ts"

const slow = Number(process.env["PROBE_SLOW"] ?? 0)

const note = (n: number, name: string, key: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`insert into probe.step (n, name, key, pid) values (${n}, ${name}, ${key}, ${process.pid})`
  )

const steps: readonly [WorkflowStep<{ readonly n: number }>, ...ReadonlyArray<WorkflowStep<{ readonly n: number }>>] = [
  { name: "first", run: ({ event, key }) => Effect.as(note(event.data.n, "first", key), { detail: "noted" }) },
  {
    name: "second",
    run: ({ event, key }) => Effect.as(Effect.andThen(note(event.data.n, "second", key), Effect.sleep(slow)), {})
  },
  {
    name: "third",
    run: ({ event, key }) => Effect.succeed({ record: Effect.as(note(event.data.n, "third", key), "written") })
  }
]

const probe: EventWorkflow<{ readonly n: number }> = {
  name: "probe",
  title: "Probe",
  on: "probe.*",
  data: Schema.Struct({ n: Schema.Int }),
  subject: ({ data }) => String(data.n),
  steps
}

const feature = Feature.make({
  migrations: [
    ledger,
    notifications,
    workflows,
    privateRanges,
    uncertainRuns,
    userRequests,
    {
      id: 1000,
      name: "what happened",
      statements: [
        "create schema probe",
        "create table probe.step (id bigint generated always as identity, n int, name text, key text, pid int)"
      ]
    }
  ],
  queues: engineQueues,
  layer: Layer.effectDiscard(workflowEngine([probe], { language: "en", minute: 100 }))
})

// Uses the daemon's name, because the name is also the schema of the engine's tables.
const daemon = Daemon.make({ name: "comm-dispatcher", title: "Probe", port: 0, features: [feature] })

const program = Effect.gen(function* () {
  const suite = yield* Suite.start({ daemons: [daemon], fleet: [daemon] })
  yield* Effect.sync(() => process.stdout.write(`${JSON.stringify({ pid: process.pid })}\n`))
  return yield* suite.broken
}).pipe(
  Effect.scoped,
  Effect.provide(SystemdNotify.layerSilent),
  Effect.provideService(References.MinimumLogLevel, process.env["PROBE_LOUD"] === undefined ? "Fatal" : "Info"),
  Effect.provideService(Environment, { ...process.env, SIGNALBOX_COMM_DISPATCHER_PORT: "0" })
)

const fiber = Effect.runFork(program)
process.once("SIGTERM", () => void Effect.runPromise(Fiber.interrupt(fiber)))
fiber.addObserver((exit) => {
  const failed = exit._tag === "Failure" && !Cause.hasInterruptsOnly(exit.cause)
  if (failed) process.stderr.write(`${Cause.pretty(exit.cause)}\n`)
  process.exit(failed ? 1 : 0)
})
