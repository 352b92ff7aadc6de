/**
 * The loop that works on one kind of job: claims under this process's incarnation, hands out, completes or gives back.
 * It waits for an announcement or for the next job that falls due, so an idle worker asks Postgres next to nothing.
 *
 * A claim's row in core.job_claim says who took the job last. It may outlive the claim (upkeep removes it); what counts
 * is whether the job is still active.
 */
import { Duration, Effect, FiberSet, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as Backoff from "../supervision/Backoff.ts"
import type { Incarnation } from "../cluster/Incarnation.ts"
import { type Claim, ClaimLost, topicOf, type Worker } from "./JobContract.ts"
import { type FetchedJob, type JobEngine, retryPauseMax } from "./JobEngine.ts"
import { Background, isAway } from "../sql/Sql.ts"
import { Actor, type ActorSpec, describe } from "../supervision/Supervisor.ts"
import type { Wake } from "../events/Wake.ts"

/** How long an idle worker waits without wake-up or due job before it looks. Unit: seconds. */
const lookInterval = 30

/** How long jobs in work may take to finish when the process stops. Reason: the whole stop has 20 s. */
const drainTime = Duration.seconds(12)

/**
 * How long giving a job back may take when its work is cut short. Reason: the stop's drain and this fit in its 20 s.
 */
const releaseTime = Duration.seconds(2)

/** With work waiting, how long free places are gathered so that one claim fills several. Unit: milliseconds. */
const gatherTime = Duration.millis(10)

/** After a look that found something, how long before it is asked what falls due next: in a stream of jobs, never. */
const settleTime = Duration.millis(200)

const retrySchedule = Backoff.schedule(Backoff.eager)

/** What a worker stands on. */
export interface Ground {
  readonly sql: SqlClient.SqlClient
  readonly engine: JobEngine
  readonly incarnation: Incarnation["Service"]
  readonly wake: Wake["Service"]
}

/** The supervised loop of `spec`. */
export const make = <Name extends string, A, I, R>(ground: Ground, spec: Worker<Name, A, I, R>): ActorSpec<R> => {
  const { queue } = spec.type
  const concurrency = spec.concurrency ?? 1
  return {
    name: `worker ${queue}`,
    run: Effect.gen(function* () {
      const actor = yield* Actor
      const wakeup = yield* ground.wake.subscribe(topicOf(queue))
      const handlers = yield* FiberSet.make()
      // Closes before the set does: what is in work may finish, within bounds; the rest goes to the next process.
      yield* Effect.addFinalizer(() => FiberSet.awaitEmpty(handlers).pipe(Effect.timeoutOption(drainTime)))
      const inHand = new Set<string>()
      const take = taking(ground, queue, inHand)
      // Failing the actor would end what is in work; the database's absence is waited out instead, and told.
      const whileAway = <A>(ask: Effect.Effect<A, SqlError.SqlError>) =>
        ask.pipe(
          Effect.tapError((error) =>
            isAway(error)
              ? Effect.andThen(actor.progress, actor.note(`waits for the database: ${error.message}`))
              : Effect.void
          ),
          Effect.retry({ while: (error) => isAway(error), schedule: retrySchedule })
        )
      /** Whether the last look found as much as it could take, so that there may be more. */
      let more = true
      const ended = (job: FetchedJob) =>
        Effect.suspend(() => {
          inHand.delete(job.id)
          return more ? wakeup.ring : Effect.void
        })
      while (true) {
        yield* actor.progress
        yield* actor.note(`${inHand.size} of ${concurrency} in work`)
        if (more && inHand.size > 0 && concurrency - inHand.size < concurrency / 4) yield* wakeup.wait(gatherTime)
        const free = concurrency - inHand.size
        let found = 0
        if (free > 0) {
          const jobs = yield* whileAway(take(free))
          for (const job of jobs) {
            inHand.add(job.id)
            yield* FiberSet.run(handlers, Effect.ensuring(work(ground, spec, job), ended(job)))
          }
          found = jobs.length
          more = found === free
          if (more) continue
        }
        if (found > 0) {
          yield* wakeup.wait(settleTime)
          continue
        }
        const due = free > 0 ? yield* whileAway(nextDue(ground.sql, queue)) : null
        yield* wakeup.wait(Duration.millis(Math.min(Math.max(due ?? Infinity, 1), lookInterval * 1000)))
      }
    })
  }
}

/** Milliseconds until a job of the queue falls due; null when none waits. */
const nextDue = (sql: SqlClient.SqlClient, queue: string) =>
  Effect.map(
    sql<{ wait: number | null }>`select extract(epoch from min(start_after) - now())::float8 * 1000 as wait
      from pgboss.job where name = ${queue} and state < 'active'`,
    (rows) => rows[0]?.wait ?? null
  )

/** Claims up to so many jobs. */
const taking = ({ engine, incarnation, sql }: Ground, queue: string, inHand: ReadonlySet<string>) => {
  // True at first too: a run of this loop before us may have ended in the same doubt.
  let inDoubt = true
  /** A claim whose answer was lost may stand in the database: held by us, a living process, and in nobody's hands. */
  const dropStrays = Effect.suspend(
    () =>
      sql`with strays as (delete from core.job_claim
        where incarnation = ${incarnation.id} and queue = ${queue} and job_id <> all(${[...inHand]}::uuid[]) returning job_id)
      update pgboss.job j set state = 'retry', start_after = now() from strays
       where j.name = ${queue} and j.id = strays.job_id and j.state = 'active'`
  )
  const claim = (count: number) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const jobs = yield* engine.fetch(queue, count)
        if (jobs.length > 0) {
          yield* sql`insert into core.job_claim (job_id, queue, incarnation)
          select unnest(${jobs.map((job) => job.id)}::uuid[]), ${queue}, ${incarnation.id}
          on conflict (job_id) do update set incarnation = excluded.incarnation, claimed_at = excluded.claimed_at`
        }
        return jobs
      })
    )
  return (count: number) =>
    Effect.suspend(() => (inDoubt ? Effect.andThen(dropStrays, claim(count)) : claim(count))).pipe(
      Effect.tapError(() => Effect.sync(() => (inDoubt = true))),
      Effect.tap(() => Effect.sync(() => (inDoubt = false)))
    )
}

/**
 * Completes claims of one queue in one statement; fails when one of them is no longer ours, and then all are to be
 * rolled back.
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

/** Works on one job to its end; it is completed or goes back, whatever the handler does. */
const work = <Name extends string, A, I, R>(ground: Ground, spec: Worker<Name, A, I, R>, job: FetchedJob) => {
  const { engine, sql, wake } = ground
  const { queue } = spec.type
  const claim: Claim = { queue, job, completed: false }
  const complete = completing(engine, [claim])
  const giveBack = (pause: number) =>
    sql
      .withTransaction(
        Effect.gen(function* () {
          const back =
            yield* sql`update pgboss.job set state = 'retry', start_after = now() + make_interval(secs => ${pause})
        where name = ${queue} and id = ${job.id} and state = 'active' and retry_count = ${job.retryCount} returning 1`
          // Also for a later time: whoever waits has to learn when to wake.
          if (back.length > 0) yield* wake.announce(topicOf(queue))
        })
      )
      .pipe(Effect.retry({ schedule: retrySchedule }))
  return Effect.gen(function* () {
    const data = yield* Effect.orDie(Schema.decodeUnknownEffect(spec.type.data)(job.data))
    yield* spec.handle({ id: job.id, data, retries: job.retryCount, complete, claim })
    // The work is done: the database being away is no reason to do it again.
    if (!claim.completed)
      yield* complete.pipe(Effect.retry({ while: (error) => isAway(error), schedule: retrySchedule }))
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(
        Effect.logError(`job ${job.id} of ${queue} goes back: ${describe(cause)}`, cause),
        giveBack(Math.min(2 ** Math.min(job.retryCount, 10), retryPauseMax))
      )
    ),
    Effect.provideService(Background, true),
    // Cut short, because the actor or its daemon ends while the process may live: nobody would reap its claim.
    Effect.onInterrupt(() => Effect.ignore(Effect.timeout(giveBack(0), releaseTime)))
  )
}
