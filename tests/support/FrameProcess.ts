/**
 * A process of the fleet, for tests that kill it: the real frame with one daemon, `probe`, that works on queue
 * `probe.work` and has a placed actor. Prints one line of JSON when ready; SIGTERM stops it in order.
 *
 * Environment: DATABASE_URL; PROBE_WORK (duration of a job in milliseconds; unset: no worker); PROBE_PLACED (set: runs
 * the placed actor); PROBE_EVENTS (set: consumes `probe.*`).
 *
 * It records its actions in tables: `probe.begun` and `probe.done` (jobs by process), `probe.tick` (the placed actor),
 * `probe.heard` (events by process).
 */
import { Cause, Effect, Fiber, Layer, References, Schedule } from "effect"
import { HttpApi } from "effect/http-api"
import { SqlClient } from "effect/sql"
import * as Daemon from "#core/daemon/Daemon.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Environment } from "#core/config/Environment.ts"
import { Events } from "#core/events/Events.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as Suite from "#core/daemon/Suite.ts"
import { Actor, Supervisor } from "#core/supervision/Supervisor.ts"
import { SystemdNotify } from "#protocols/systemd/SystemdNotify.ts"
import { consumerName, migrations, tickEvery, Work } from "./ProbeTables.ts"

const Api = HttpApi.make("probe")

const register = Effect.gen(function* () {
  const duration = process.env["PROBE_WORK"]
  const worker = Jobs.worker({
    type: Work,
    concurrency: 2,
    handle: (job) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`insert into probe.begun (n, pid) values (${job.data.n}, ${process.pid})`
        yield* Effect.sleep(Number(duration))
        // Repeated while Postgres is away: without a record the job would begin again, as after the death of a process.
        yield* transaction(
          Effect.andThen(sql`insert into probe.done (n, pid) values (${job.data.n}, ${process.pid})`, job.complete)
        ).pipe(Effect.retry({ times: 40, schedule: Schedule.spaced(500) }))
      })
  })
  const placed = {
    name: "ticker",
    placed: true,
    run: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const actor = yield* Actor
      while (true) {
        yield* actor.progress
        yield* sql`insert into probe.tick (pid) values (${process.pid})`
        yield* Effect.sleep(tickEvery)
      }
    })
  }
  const consumer = (yield* Events).consumer({
    name: consumerName,
    pattern: "probe.*",
    handle: ({ data, id }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        // The two sleeps give a test time to kill the process: before the event is handled, and before its cursor
        // moves.
        yield* Effect.sleep(1)
        yield* sql`insert into probe.heard (event, n, pid) values (${id}, ${(data as { readonly n: number }).n}, ${process.pid})`
        yield* Effect.sleep(1)
      })
  })
  if (process.env["PROBE_EVENTS"] !== undefined) yield* Supervisor.actor(consumer)
  if (duration !== undefined) yield* worker
  if (process.env["PROBE_PLACED"] !== undefined) yield* Supervisor.actor(placed)
})

const feature = Feature.make({
  migrations: migrations.steps,
  queues: [Work],
  api: Api,
  layer: Layer.effectDiscard(register)
})

const daemon = Daemon.make({ name: "probe", title: "Probe", port: 0, features: [feature] })

const program = Effect.gen(function* () {
  const suite = yield* Suite.start({ daemons: [daemon], fleet: [daemon] })
  const { host, port } = suite.addresses.get("probe")!
  yield* Effect.sync(() =>
    process.stdout.write(`${JSON.stringify({ pid: process.pid, base: `http://${host}:${port}` })}\n`)
  )
  return yield* suite.broken
}).pipe(
  Effect.scoped,
  Effect.provide(SystemdNotify.layerSilent),
  Effect.provideService(References.MinimumLogLevel, process.env["PROBE_LOUD"] === undefined ? "Fatal" : "Info"),
  Effect.provideService(Environment, { ...process.env, SIGNALBOX_PROBE_PORT: "0" })
)

const fiber = Effect.runFork(program)
process.once("SIGTERM", () => void Effect.runPromise(Fiber.interrupt(fiber)))
fiber.addObserver((exit) => {
  const failed = exit._tag === "Failure" && !Cause.hasInterruptsOnly(exit.cause)
  if (failed) process.stderr.write(`${Cause.pretty(exit.cause)}\n`)
  process.exit(failed ? 1 : 0)
})
