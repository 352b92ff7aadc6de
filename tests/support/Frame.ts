/**
 * The process frame without a real daemon, for tests of core. It has all layers of a daemon over a fresh database, the
 * listening connection, the job reaper, and a supervisor that runs placed actors locally.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, References, type Scope } from "effect"
import { join } from "node:path"
import * as Backoff from "#core/supervision/Backoff.ts"
import type { Platform } from "#core/daemon/Daemon.ts"
import * as Database from "#core/sql/Database.ts"
import type { Fields } from "#core/config/Settings.ts"
import { Incarnation } from "#core/cluster/Incarnation.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { type ConnectionTarget, toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import * as Suite from "#core/daemon/Suite.ts"
import type { Health } from "#core/daemon/Health.ts"
import { layer as healthLayer } from "#core/daemon/Health.ts"
import { type ActorSpec, layerLocal, Supervisor } from "#core/supervision/Supervisor.ts"
import { Wake } from "#core/events/Wake.ts"
import { pollPause } from "./PollPause.ts"
import { migratedDatabase, temporaryDirectory } from "./Postgres.ts"

export interface FrameOptions {
  readonly queues?: ReadonlyArray<string>
  readonly target?: ConnectionTarget
  /** Daemons that this process claims to run. Default `["test"]`. */
  readonly names?: ReadonlyArray<string>
  /** Settings that may be stored. */
  readonly settings?: ReadonlyArray<Fields>
  /** File with keys of secrets. Default: one of its own. */
  readonly keyFile?: string
}

/** The services of a daemon and `Supervisor`, as a context for one scope. One scope simulates one life of a process. */
export const frame = Effect.fnUntraced(function* (options: FrameOptions = {}) {
  const target = options.target ?? (yield* migratedDatabase([])).target
  const keyFile = options.keyFile ?? join(yield* temporaryDirectory(), "keys")
  const declared = (options.settings ?? []).flatMap((fields) => Object.values(fields))
  const platform = Suite.platform({
    database: Database.layerTarget(target, { applicationName: "frame" }),
    names: options.names ?? ["test"],
    fleet: (options.names ?? ["test"]).map((name) => ({
      name,
      port: 0,
      showsAll: false,
      migrations: { schema: name, steps: [] },
      settings: Object.fromEntries(declared.map((setting) => [setting.name, setting]))
    })),
    queues: options.queues ?? [],
    clusterHost: "127.0.0.1",
    clusterPort: 0,
    healthAddresses: ["127.0.0.0/8"],
    keyFile
  })
  const context = yield* Layer.build(
    Layer.provideMerge(Layer.effectDiscard(startActors), registries().pipe(Layer.provideMerge(platform)))
  )
  return context as Context.Context<Platform | Supervisor | Health>
})

/**
 * Registries in which the parts of a daemon register. A function, because nested frames would share a constant layer.
 */
const registries = () => healthLayer.pipe(Layer.provideMerge(layerLocal("test")))

const startActors = Effect.gen(function* () {
  const supervisor = yield* Supervisor
  const wake = yield* Wake
  const incarnation = yield* Incarnation
  const jobs = yield* Jobs
  yield* supervisor.start({ ...wake.actor(incarnation.hold), backoff: Backoff.eager })
  yield* supervisor.start(jobs.reaper)
})

/** Runs one actor in the caller's scope. */
export const run = <R>(spec: ActorSpec<R>) => Effect.flatMap(Supervisor, (supervisor) => supervisor.start(spec))

/** Runs `effect` in its own frame, which simulates one life of a process. */
export const inFrame = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  options?: FrameOptions
): Effect.Effect<A, unknown, Exclude<Exclude<R, Platform | Supervisor>, Scope.Scope>> =>
  Effect.scoped(Effect.flatMap(frame(options), (context) => Effect.provideContext(effect, context))).pipe(
    // Intended failures must not fill the output of the test run.
    Effect.provideService(References.MinimumLogLevel, "Fatal")
  ) as never

/** A database client of the test, outside the frame. */
export const client = (target: ConnectionTarget) =>
  Effect.map(
    Layer.build(PgClient.layer({ ...toSqlPg(target), applicationName: "test", maxConnections: 4 })),
    (context) => Context.get(context, PgClient.PgClient)
  )

/**
 * Checks a promise such as "within a second": a look that begins later than `limit` milliseconds from now must be true.
 * How long a look takes does not count, because that depends on what else the machine does.
 */
export const holdsAfter = <E, R>(
  limit: number,
  what: string,
  look: Effect.Effect<boolean, E, R>
): Effect.Effect<void, E, R> =>
  Effect.suspend(() => {
    const from = performance.now()
    const judged = Effect.suspend(() => {
      const after = performance.now() - from
      return Effect.tap(look, (isTrue) =>
        isTrue || after <= limit ? Effect.void : Effect.die(new Error(`not after ${Math.round(after)} ms: ${what}`))
      )
    })
    return until(what, judged, Math.max(10, (2 * limit) / 1_000))
  })

/** Looks again and again until `look` is true. Dies after `seconds`. */
export const until = <E, R>(
  what: string,
  look: Effect.Effect<boolean, E, R>,
  seconds = 30
): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    const from = performance.now()
    while (!(yield* look)) {
      const waited = performance.now() - from
      if (waited > seconds * 1000) return yield* Effect.die(new Error(`not within ${seconds} s: ${what}`))
      yield* Effect.sleep(pollPause(waited))
    }
  })

/**
 * Source of a query for claims of active jobs. The row of a claim remains after the job ends, until upkeep deletes it.
 */
export const heldClaims =
  "core.job_claim c join pgboss.job j on j.id = c.job_id and j.name = c.queue and j.state = 'active'"
