/**
 * The actor that works on one kind of job: claims jobs under the incarnation of this process, hands them to the
 * handler, and completes or releases them. It waits for an announcement or for the next due time. Idle workers of a
 * process poll together, by one statement.
 *
 * A row in core.job_claim names the process that claimed the job last. The row may outlive the claim until upkeep
 * removes it; a claim counts only while its job is active.
 *
 * The worker of pg-boss 12.35.0 does not know the incarnation: pg-boss finds the jobs of a dead process by heartbeats
 * of at least 10 s. This file and JobContract.ts have 340 lines.
 */
import { Duration, Effect, FiberSet, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as Backoff from "../supervision/Backoff.ts"
import type { Incarnation } from "../cluster/Incarnation.ts"
import { CurrentDaemon } from "../metrics/CurrentDaemon.ts"
import type { Count } from "../metrics/Metrics.ts"
import { type Claim, ClaimLost, topicOf, type Worker } from "./JobContract.ts"
import { type ClaimLimits, type FetchedJob, type JobEngine, retryPauseMax } from "./JobEngine.ts"
import * as JobMetrics from "./JobMetrics.ts"
import * as JobTables from "./JobTables.ts"
import { Background, isAway } from "../sql/Sql.ts"
import { Actor, type ActorSpec, describe } from "../supervision/Supervisor.ts"
import { untilPoll, type Wake } from "../events/Wake.ts"

/** Longest wait of an idle worker without announcement or due job. Unit: seconds. */
const lookInterval = 30

/** Time for jobs in work to finish when the process stops. Reason: the whole stop has 20 s. */
const drainTime = Duration.seconds(12)

/** Time to release an interrupted job. Reason: together with `drainTime` it fits into the 20 s of the stop. */
const releaseTime = Duration.seconds(2)

/**
 * While work is waiting: how long the worker collects free slots, so that one claim fills several. Unit: milliseconds.
 */
const gatherTime = Duration.millis(10)

/**
 * After a claim that found jobs: pause before the query for the next due time. A steady stream of jobs never needs it.
 */
const settleTime = Duration.millis(200)

const retrySchedule = Backoff.schedule(Backoff.eager)

/** Services of the worker. */
export interface Ground {
  readonly sql: SqlClient.SqlClient
  readonly engine: JobEngine
  readonly incarnation: Incarnation["Service"]
  readonly wake: Wake["Service"]
  /** Milliseconds until the next job of the queue is due; null when none is waiting. */
  readonly nextDue: (queue: string) => Effect.Effect<number | null, SqlError.SqlError>
  /** Queues with a worker in this process (JobMetrics.ts). */
  readonly working: Map<string, string>
}

/** The actor for `spec`. */
export const make = <Name extends string, A, I, R>(ground: Ground, spec: Worker<Name, A, I, R>): ActorSpec<R> => {
  const { queue } = spec.type
  const concurrency = spec.concurrency ?? 1
  return {
    name: `worker ${queue}`,
    run: Effect.gen(function* () {
      const actor = yield* Actor
      const wakeup = yield* ground.wake.subscribe(topicOf(queue))
      const handlers = yield* FiberSet.make()
      // Runs before the set closes: jobs in work may finish within bounds; other processes get the rest.
      yield* Effect.addFinalizer(() => FiberSet.awaitEmpty(handlers).pipe(Effect.timeoutOption(drainTime)))
      /** Jobs in work, with their groups. */
      const inHand = new Map<string, string | undefined>()
      const its = { daemon: yield* CurrentDaemon, queue }
      const counts = yield* JobMetrics.ofWorker(ground.working, its, () => inHand.size)
      const take = taking(ground, queue, inHand)
      const { perGroup, reserved } = spec
      /** The claims to try, until one finds jobs. */
      const nextClaims = (): ReadonlyArray<{ readonly count: number; readonly limits: ClaimLimits }> => {
        const free = concurrency - inHand.size
        if (free <= 0) return []
        if (reserved === undefined) return [{ count: free, limits: { perGroup } }]
        const grouped = [...inHand.values()].filter((group) => group !== undefined).length
        const open = Math.min(free, concurrency - reserved.workers - grouped)
        if (grouped === 0) return [{ count: open, limits: { perGroup } }]
        // One by one: of several jobs of a group, the engine does not take those of the highest priority.
        const shared = open > 0 ? [{ count: 1, limits: { perGroup } }] : []
        return [{ count: free, limits: { minPriority: reserved.priority } }, ...shared]
      }
      // A failure of the actor would interrupt the running jobs. So it waits for the database and shows that in its
      // note.
      const whileAway = <A>(ask: Effect.Effect<A, SqlError.SqlError>) =>
        ask.pipe(
          Effect.tapError((error) =>
            isAway(error)
              ? Effect.andThen(actor.progress, actor.note(`waits for the database: ${error.message}`))
              : Effect.void
          ),
          Effect.retry({ while: (error) => isAway(error), schedule: retrySchedule })
        )
      /** Whether the last claim was full, so that more jobs may be waiting. */
      let more = true
      const ended = (job: FetchedJob) =>
        Effect.suspend(() => {
          inHand.delete(job.id)
          return more ? wakeup.ring : Effect.void
        })
      /** Whether to try a claim without asking first: jobs were announced, or are due now. */
      let expected = true
      const idle = Effect.fnUntraced(function* (due: number | null) {
        const poll = Duration.toMillis(untilPoll(lookInterval))
        const isDue = due !== null && due < poll
        const rang = yield* wakeup.wait(Duration.millis(isDue ? Math.max(due, 1) : poll))
        expected = rang || isDue
      })
      while (true) {
        yield* actor.progress
        yield* actor.note(`${inHand.size} of ${concurrency} in work`)
        if (!expected && !more && inHand.size === 0) {
          const due = yield* whileAway(ground.nextDue(queue))
          if (due === null || due > 0) {
            yield* idle(due)
            continue
          }
        }
        if (more && inHand.size > 0 && concurrency - inHand.size < concurrency / 4) yield* wakeup.wait(gatherTime)
        const claims = nextClaims()
        let found = 0
        let full = false
        for (const { count, limits } of claims) {
          if (inHand.size >= concurrency) break
          const jobs = yield* whileAway(take(count, limits))
          for (const job of jobs) {
            inHand.set(job.id, job.groupId ?? undefined)
            yield* FiberSet.run(handlers, Effect.ensuring(work(ground, spec, job, counts), ended(job)))
          }
          found += jobs.length
          full ||= jobs.length === count
        }
        if (claims.length > 0) more = full
        if (claims.length > 0 && more) continue
        if (found > 0) {
          yield* wakeup.wait(settleTime)
          continue
        }
        const due = claims.length > 0 ? yield* whileAway(ground.nextDue(queue)) : null
        if (due !== null && due <= 0 && (perGroup !== undefined || reserved !== undefined)) {
          // Jobs wait for others of their group, here or in another process.
          more = true
          yield* wakeup.wait(settleTime)
          continue
        }
        yield* idle(due)
      }
    })
  }
}

/** Claims up to the given number of jobs. */
const taking = ({ engine, incarnation, sql }: Ground, queue: string, inHand: ReadonlyMap<string, unknown>) => {
  // Whether claims may exist whose answer was lost. True at the start: an earlier run of this actor may have left some.
  let inDoubt = true
  /** Releases claims whose answer was lost: the database shows them as ours, but no handler has them. */
  const dropStrays = Effect.suspend(() => JobTables.dropStrays(sql, incarnation.id, queue, [...inHand.keys()]))
  const claim = (count: number, limits: ClaimLimits) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const jobs = yield* engine.fetch(queue, count, limits)
        if (jobs.length > 0) {
          yield* sql`insert into core.job_claim (job_id, queue, incarnation)
          select unnest(${jobs.map((job) => job.id)}::uuid[]), ${queue}, ${incarnation.id}
          on conflict (job_id) do update set incarnation = excluded.incarnation, claimed_at = excluded.claimed_at`
        }
        return jobs
      })
    )
  return (count: number, limits: ClaimLimits) =>
    Effect.suspend(() => (inDoubt ? Effect.andThen(dropStrays, claim(count, limits)) : claim(count, limits))).pipe(
      Effect.withSpan("job.claim", { attributes: { queue } }),
      Effect.tapError(() => Effect.sync(() => (inDoubt = true))),
      Effect.tap(() => Effect.sync(() => (inDoubt = false)))
    )
}

/**
 * Completes claims of one queue in one statement. Fails when one of them is no longer ours; the caller's transaction
 * then rolls back.
 */
export const completing = (
  engine: JobEngine,
  claims: ReadonlyArray<Claim>
): Effect.Effect<void, SqlError.SqlError | ClaimLost> => {
  const [first] = claims
  if (first === undefined) return Effect.void
  return Effect.flatMap(
    engine.complete(
      first.queue,
      claims.map(({ job }) => job)
    ),
    (ours) => {
      if (ours < claims.length) return Effect.fail(new ClaimLost({ queue: first.queue, id: first.job.id }))
      for (const claim of claims) claim.completed = true
      return Effect.void
    }
  )
}

/** Runs one job and then completes or releases it, even if the handler fails or dies. */
const work = <Name extends string, A, I, R>(
  ground: Ground,
  spec: Worker<Name, A, I, R>,
  job: FetchedJob,
  counts: { readonly done: Count; readonly back: Count }
) => {
  const { engine, sql, wake } = ground
  const { queue } = spec.type
  const claim: Claim = { queue, job, completed: false }
  const complete = completing(engine, [claim])
  const giveBack = (pause: number) =>
    sql
      .withTransaction(
        Effect.gen(function* () {
          // Also announced for a later time, because workers compute their next wake-up from it.
          if (yield* JobTables.giveBack(sql, queue, job, pause)) yield* wake.announce(topicOf(queue))
        })
      )
      .pipe(Effect.retry({ schedule: retrySchedule }))
  return Effect.gen(function* () {
    const data = yield* Effect.orDie(Schema.decodeUnknownEffect(spec.type.data)(job.data))
    yield* spec.handle({ id: job.id, data, retries: job.retryCount, complete, claim })
    // The work is done, so an unreachable database must not cause a second run: retry the completion.
    if (!claim.completed)
      yield* complete.pipe(Effect.retry({ while: (error) => isAway(error), schedule: retrySchedule }))
    counts.done.add()
  }).pipe(
    Effect.withSpan("job.work", { attributes: { queue } }),
    Effect.catchCause((cause) => {
      counts.back.add()
      return Effect.andThen(
        Effect.logError(`job ${job.id} of ${queue} goes back: ${describe(cause)}`, cause),
        giveBack(Math.min(2 ** Math.min(job.retryCount, 10), retryPauseMax))
      )
    }),
    Effect.provideService(Background, true),
    // The actor or its daemon stops but the process lives on, so the reaper would not release the claim.
    Effect.onInterrupt(() => Effect.ignore(Effect.timeout(giveBack(0), releaseTime)))
  )
}
