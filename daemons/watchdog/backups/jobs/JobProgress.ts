/**
 * Records the begin, the progress and the end of jobs. Each function is one short transaction. The process that began
 * the latest attempt owns the job; writes of another one fail (`Superseded`).
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { providerTenant } from "#core/auth/Caller.ts"
import { BackupProgress } from "#core/contracts/Watchdog.ts"
import { Events } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import type { DrillReport, LeftOut } from "../Api.ts"
import { jobFields, type JobRow } from "./JobStore.ts"
import { tellEnd } from "./Notices.ts"

/** Another process has taken the job, or it has ended. */
export class Superseded extends Schema.TaggedError<Superseded>()("Superseded", { job: Schema.String }) {
  override get message() {
    return `the backup job ${this.job} is no longer run by this process`
  }
}

/** A running job of this process. `runner`: this life of the process. */
export interface Attempt {
  readonly job: JobRow
  readonly runner: string
}

/** Times that a job is begun. Reason: a job that ends its process three times ends it the fourth time. */
export const mostAttempts = 3

/** Sentence about a job whose process ended. */
export const lostProblem = "The process that ran the job ended in the middle."

/**
 * Returns jobs that another life of a process left behind. A backup or drill waits again; after `mostAttempts`, and for
 * restores, it is lost. The caller holds the lock of the runner, so no other process runs a job.
 */
export const recover = (runner: string) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`update watchdog.backup_job
        set state = 'waiting', runner = null, step = null, done = null, total = null
        where state = 'running' and runner is distinct from ${runner} and work <> 'restore'
          and attempts < ${mostAttempts}`
      const lost = yield* sql<JobRow>`update watchdog.backup_job
        set state = 'lost', problem = ${lostProblem}, finished_at = now()
        where state = 'running' and runner is distinct from ${runner} returning ${jobFields(sql)}`
      for (const job of lost) yield* tellEnd(job)
      return lost.length
    })
  )

/** Begins the oldest waiting job; undefined: there is none. */
export const begin = (runner: string) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [job] = yield* sql<JobRow>`update watchdog.backup_job
        set state = 'running', runner = ${runner}, attempts = attempts + 1, started_at = now(), problem = null
        where id = (select id from watchdog.backup_job where state = 'waiting' and work <> 'restore'
          order by seq limit 1
          for update skip locked)
        returning ${jobFields(sql)}`
      if (job !== undefined) yield* announce(job, "begin", null, null, false, null)
      return job === undefined ? undefined : ({ job, runner } satisfies Attempt as Attempt)
    })
  )

/** Records how far the job is. Unit of `done` and `total`: bytes. */
export const progressed = (attempt: Attempt, step: string, done: number | null, total: number | null) =>
  ours(
    attempt,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`update watchdog.backup_job set step = ${step}, done = ${done}, total = ${total}
        where id = ${attempt.job.id}`
      yield* announce(attempt.job, step, done, total, false, null)
    })
  )

export interface Outcome {
  readonly snapshot: string | null
  readonly size: number | null
  readonly added: number | null
  readonly files: number | null
  readonly leftOut: ReadonlyArray<typeof LeftOut.Type>
  readonly report: typeof DrillReport.Type | null
  /** Null: the job succeeded. */
  readonly problem: string | null
}

/** Ends the job. Its row, its events and its messages are one transaction. */
export const ended = (attempt: Attempt, outcome: Outcome) =>
  ours(
    attempt,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pg = yield* PgClient.PgClient
      const { added, files, leftOut, problem, report, size, snapshot } = outcome
      const [job] = yield* sql<JobRow>`update watchdog.backup_job
        set state = ${problem === null ? "done" : "failed"}, problem = ${problem}, snapshot = ${snapshot},
          size = ${size}, added = ${added}, files = ${files}, left_out = ${pg.json(leftOut)}::jsonb,
          report = ${report === null ? null : pg.json(report)}::jsonb, step = null, finished_at = clock_timestamp()
        where id = ${attempt.job.id} returning ${jobFields(sql)}`
      yield* announce(job!, problem === null ? "done" : "failed", size, size, true, problem)
      yield* tellEnd(job!)
      return job!
    })
  )

const ours = <A, E, R>({ job, runner }: Attempt, change: Effect.Effect<A, E, R>) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const held = yield* sql`select 1 from watchdog.backup_job
        where id = ${job.id} and state = 'running' and runner = ${runner} for update`
      if (held.length === 0) return yield* new Superseded({ job: job.id })
      return yield* change
    })
  )

const announce = (
  { id, work }: JobRow,
  step: string,
  done: number | null,
  total: number | null,
  finished: boolean,
  problem: string | null
) =>
  Effect.flatMap(Events, (events) =>
    events.emit(
      BackupProgress,
      "watchdog",
      { job_id: id, work, step, done, total, finished, problem },
      { tenantId: providerTenant }
    )
  )
