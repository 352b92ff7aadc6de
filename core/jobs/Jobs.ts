/**
 * Durable units of work, on pg-boss. A contract declares a job (queue name and Schema of its data). The job is sent in
 * the transaction of the change that causes it, and a supervised worker handles it.
 *
 * A worker claims a job under the incarnation of its process, so claims of a dead process are released within seconds.
 * `job.complete` in the transaction of the result fails that transaction when another process holds the job by then.
 * Delivery is at least once; recording is exactly once.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Duration, Effect, Exit, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { createHash } from "node:crypto"
import { Database } from "../sql/Database.ts"
import { Incarnation } from "../cluster/Incarnation.ts"
import {
  type ClaimedJob,
  type ClaimLost,
  isDeclared,
  type JobType,
  type Queue,
  topicOf,
  type Worker
} from "./JobContract.ts"
import * as JobEngine from "./JobEngine.ts"
import * as JobMetrics from "./JobMetrics.ts"
import * as JobTables from "./JobTables.ts"
import * as JobWorker from "./JobWorker.ts"
import * as Batcher from "../sql/Batcher.ts"
import { asPlatform, atomically } from "../sql/Sql.ts"
import { Actor, type ActorSpec, type Needs, Supervisor } from "../supervision/Supervisor.ts"
import { Wake } from "../events/Wake.ts"

export { type ClaimedJob, ClaimLost, define, type JobType, type Queue, type Worker } from "./JobContract.ts"

export interface SendOptions {
  /** The engine ignores a key that it already knows; it remembers keys for 7 days. */
  readonly key?: string
  /** Earliest start. */
  readonly startAfter?: Date
  /** Jobs of higher priority start first. Default 0. */
  readonly priority?: number
  /** Jobs of one group share the workers that `Worker.perGroup` allows. Default: no group, no such limit. */
  readonly group?: string
}

/**
 * Interval of checks for dead processes. Unit: seconds. Reason: with the grace of 4 s, claims of a dead process are
 * released within 8 s.
 */
const reapInterval = Duration.seconds(3)

/** The same interval while a process is suspected dead. Unit: milliseconds. */
const suspectInterval = Duration.millis(500)

/** Queues whose next due times one statement reads. Reason: more than there are. */
const mostAsked = 100

/** Interval of the engine's own upkeep. Unit: seconds. Reason: claims last minutes and rows last days. */
const upkeepInterval = Duration.seconds(60)

export class Jobs extends Context.Service<
  Jobs,
  {
    /** Sends jobs in the surrounding transaction, with one statement. */
    readonly send: <Name extends string, A, I>(
      type: JobType<Name, A, I>,
      jobs: ReadonlyArray<{ readonly data: A } & SendOptions>
    ) => Effect.Effect<void, SqlError.SqlError>
    /**
     * Completes several claims of one queue in the surrounding transaction. Fails with `ClaimLost` when one of them is
     * no longer ours.
     */
    readonly completeAll: (
      jobs: ReadonlyArray<ClaimedJob<unknown>>
    ) => Effect.Effect<void, SqlError.SqlError | ClaimLost>
    /** The actor that works on one kind of job. */
    readonly worker: <Name extends string, A, I, R>(worker: Worker<Name, A, I, R>) => ActorSpec<R>
    /** Releases claims of dead processes. One actor per process. */
    readonly reaper: ActorSpec<never>
    /** The engine's own upkeep of expired claims and old rows. Placed. */
    readonly upkeep: ActorSpec<never>
  }
>()("signalbox/core/Jobs") {
  /** Registers a worker of the feature that is being built. The feature has to declare the queue. */
  static readonly worker = <Name extends string, A, I, R>(
    worker: Worker<Name, A, I, R>
  ): Effect.Effect<void, never, Needs<R> | Jobs | Supervisor | Queue<Name>> =>
    Effect.flatMap(Jobs, (jobs) =>
      Effect.andThen(
        isDeclared<Name>(),
        Effect.flatMap(Supervisor, (supervisor) => supervisor.actor(jobs.worker(worker)))
      )
    )
}

/** `queues`: all queues that this process sends to or works on. */
export const layer = (
  queues: ReadonlyArray<string>
): Layer.Layer<Jobs, SqlError.SqlError, SqlClient.SqlClient | PgClient.PgClient | Database | Incarnation | Wake> =>
  Layer.effect(
    Jobs,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const database = yield* Database
      const incarnation = yield* Incarnation
      const wake = yield* Wake
      const engine = yield* JobEngine.make(database, queues)
      yield* JobTables.check
      const working = yield* JobMetrics.make(sql)
      const nextDue = yield* Batcher.make(
        (asked: ReadonlyArray<string>) =>
          Effect.map(Effect.exit(JobTables.nextDue(sql, asked)), (found) =>
            asked.map((queue) => Exit.map(found, (waits) => waits.get(queue) ?? null))
          ),
        { most: mostAsked }
      )

      const send: Jobs["Service"]["send"] = (type, jobs) =>
        Effect.gen(function* () {
          const encode = Schema.encodeEffect(type.data)
          const rows = yield* Effect.forEach(jobs, (job) =>
            Effect.map(Effect.orDie(encode(job.data)), (data) => ({
              data: data as object,
              ...(job.key === undefined ? {} : { id: keyedId(type.queue, job.key) }),
              ...(job.startAfter === undefined ? {} : { startAfter: job.startAfter.toISOString() }),
              ...(job.priority === undefined ? {} : { priority: job.priority }),
              ...(job.group === undefined ? {} : { group: { id: job.group } })
            }))
          )
          // The insert announces jobs that are due at once. Jobs for a later time need an announcement of ours, because
          // workers compute their next wake-up from it.
          if (jobs.every((job) => job.startAfter === undefined)) return yield* engine.insert(type.queue, rows)
          yield* atomically(Effect.andThen(engine.insert(type.queue, rows), wake.announce(topicOf(type.queue))))
        }).pipe(
          asPlatform,
          Effect.provideService(SqlClient.SqlClient, sql),
          Effect.provideService(Database, database)
        ) as Effect.Effect<void, SqlError.SqlError>

      const release = (dead: number) =>
        sql.withTransaction(
          Effect.gen(function* () {
            const back = yield* JobTables.releaseOf(sql, dead)
            yield* incarnation.forget(dead)
            for (const queue of new Set(back.map((row) => row.queue))) yield* wake.announce(topicOf(queue))
            if (back.length > 0) yield* Effect.logWarning(`released ${back.length} jobs of a dead process`)
          })
        )

      const rounds = (step: Effect.Effect<unknown, unknown>, pause: Effect.Effect<Duration.Duration>) =>
        Effect.flatMap(Actor, (actor) =>
          Effect.forever(Effect.andThen(Effect.andThen(actor.progress, step), Effect.flatMap(pause, Effect.sleep)))
        )

      return Jobs.of({
        send,
        completeAll: (jobs) =>
          JobWorker.completing(
            engine,
            jobs.map(({ claim }) => claim)
          ),
        worker: (spec) => JobWorker.make({ sql, engine, incarnation, wake, nextDue, working }, spec),
        reaper: {
          name: "claim reaper",
          run: rounds(
            Effect.flatMap(incarnation.dead, (dead) => Effect.forEach(dead, release)),
            Effect.map(incarnation.suspected, (suspected) => (suspected ? suspectInterval : reapInterval))
          )
        },
        upkeep: {
          name: "job upkeep",
          placed: true,
          run: rounds(Effect.andThen(engine.upkeep, JobTables.removeEndedClaims(sql)), Effect.succeed(upkeepInterval))
        }
      })
    })
  )

/** Job id of a key. The engine refuses a known id, so sending a key again does nothing. */
export const keyedId = (queue: string, key: string): string => {
  const hash = createHash("sha256").update(`${queue}\n${key}`).digest("hex")
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
