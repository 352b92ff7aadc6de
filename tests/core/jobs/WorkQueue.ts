/** A queue of numbered jobs, with senders and workers, for the tests of jobs. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Jobs from "#core/jobs/Jobs.ts"
import { run, until } from "#support/Frame.ts"

export const Work = Jobs.define("test.work", Schema.Struct({ n: Schema.Number }))
export const queues = [Work.queue]

/** Sends jobs with these numbers. */
export const send = (...jobs: ReadonlyArray<{ readonly n: number } & Jobs.SendOptions>) =>
  Effect.flatMap(Jobs.Jobs, (engine) =>
    engine.send(
      Work,
      jobs.map(({ n, ...options }) => ({ data: { n }, ...options }))
    )
  )

/** Starts a worker of the queue. */
export const work = <R>(
  handle: (job: Jobs.ClaimedJob<{ readonly n: number }>) => Effect.Effect<unknown, unknown, R>,
  concurrency?: number
) =>
  Effect.flatMap(Jobs.Jobs, (engine) =>
    run(engine.worker({ type: Work, handle, ...(concurrency === undefined ? {} : { concurrency }) }))
  )

/** Starts a worker that collects the numbers of its jobs. */
export const collect = (into: Array<number>, concurrency?: number) =>
  work((job) => Effect.sync(() => into.push(job.data.n)), concurrency)

/** States of the jobs with this number. */
export const stateOf = (n: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{
        state: string
      }>`select state::text as state from pgboss.job where name = ${Work.queue} and (data->>'n')::int = ${n}`,
      (rows) => rows.map((row) => row.state)
    )
  )

/** Waits until the list has this many items. */
export const counted = (list: ReadonlyArray<unknown>, count: number, seconds?: number) =>
  until(
    `${count} jobs done`,
    Effect.sync(() => list.length >= count),
    seconds
  )
