/**
 * Records the begin, the progress and the end of trainings. Each function is one short transaction. The process that
 * began the latest attempt owns the training; writes of another one fail (`Superseded`).
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "#core/sql/Sql.ts"
import { ModelStore } from "../models/Exports.ts"
import { type Phase, phases } from "./Phases.ts"
import { announce, fields, type Report, type TrainingRow } from "./Store.ts"

/** The training was cancelled, or another process has taken it. */
export class Superseded extends Schema.TaggedError<Superseded>()("Superseded", { job: Schema.String }) {
  override get message() {
    return `the training ${this.job} is no longer run by this process`
  }
}

/** A running training of this process. `runner`: this life of the process. */
export interface Attempt {
  readonly job: TrainingRow
  readonly runner: string
}

/** Times that a phase is begun. Reason: a phase that ends its process five times ends it the sixth time. */
export const mostAttempts = 5

/**
 * Begins the next training: one that a dead process left, otherwise the oldest of the tenant that waits longest for its
 * turn. Undefined: there is none. The caller holds the lock of the runner, so no other process runs a training.
 */
export const begin = (runner: string) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const lost = yield* sql<TrainingRow>`update wake_word.training
        set state = 'failed', finished_at = now(),
          problem = ${`The process that ran it ended ${mostAttempts} times in the same phase.`}
        where state = 'running' and runner is distinct from ${runner} and phase_attempts >= ${mostAttempts}
        returning ${fields(sql)}`
      for (const job of lost) yield* announce(job)
      const [job] = yield* sql<TrainingRow>`update wake_word.training
        set state = 'running', runner = ${runner}, attempts = attempts + 1, phase_attempts = phase_attempts + 1,
          started_at = coalesce(started_at, now()), phase = coalesce(phase, ${phases[0]})
        where id = (select id from wake_word.training w where state in ('waiting', 'running')
          order by state = 'running' desc,
            (select max(started_at) from wake_word.training s where s.tenant_id = w.tenant_id) nulls first, seq
          limit 1 for update skip locked)
        returning ${fields(sql)}`
      if (job !== undefined) yield* announce(job)
      return job === undefined ? undefined : ({ job, runner } satisfies Attempt as Attempt)
    })
  )

/** Records the progress of the current phase, 0 to 1. Fails when the training is no longer ours. */
export const progressed = (attempt: Attempt, phase: Phase, share: number) =>
  ours(
    attempt,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const place = phases.indexOf(phase) + 1
      const [job] = yield* sql<TrainingRow>`update wake_word.training set progress[${place}] = ${share}
        where id = ${attempt.job.id} returning ${fields(sql)}`
      yield* announce(job!)
    })
  )

/** Fails when the training is no longer ours. */
export const stillOurs = (attempt: Attempt) => ours(attempt, Effect.void)

/** The phase is done, and the next one begins. `report`: added to what earlier phases found. */
export const advanced = (attempt: Attempt, done: Phase, report: Report) =>
  ours(attempt, move(attempt.job.id, phases.indexOf(done) + 1, report))

/** Goes back to an earlier phase, because its result is not on this machine. */
export const goneBack = (attempt: Attempt, to: Phase) => ours(attempt, move(attempt.job.id, phases.indexOf(to), {}))

/** Sets the phase; earlier ones are complete, later ones not begun. */
const move = Effect.fnUntraced(function* (id: string, next: number, report: Report) {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const progress = phases.map((_, index) => (index < next ? 1 : 0))
  const [job] = yield* sql<TrainingRow>`update wake_word.training
    set phase = ${phases[next]!}, phase_attempts = 1, report = report || ${pg.json(report)}::jsonb,
      progress = (select array_agg(v::float8) from json_array_elements_text(${pg.json(progress)}::json) v)
    where id = ${id} returning ${fields(sql)}`
  yield* announce(job!)
  return job!
})

/** Stores the model and ends the training, in one transaction. */
export const saved = (attempt: Attempt, model: ModelStore.NewModel) =>
  ours(
    attempt,
    Effect.gen(function* () {
      yield* ModelStore.add(model)
      yield* end(attempt.job.id, null)
    })
  )

/** Ends the training with a sentence about its failure. */
export const failed = (attempt: Attempt, problem: string) => ours(attempt, end(attempt.job.id, problem))

const end = Effect.fnUntraced(function* (id: string, problem: string | null) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from wake_word.training_sample where job_id = ${id}`
  const [job] = yield* sql<TrainingRow>`update wake_word.training
    set state = ${problem === null ? "done" : "failed"}, problem = ${problem}, runner = null, finished_at = now(),
      progress[${phases.length}] = case when ${problem === null} then 1 else progress[${phases.length}] end
    where id = ${id} returning ${fields(sql)}`
  yield* announce(job!)
})

const ours = <A, E, R>({ job, runner }: Attempt, change: Effect.Effect<A, E, R>) =>
  transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const held = yield* sql`select 1 from wake_word.training
        where id = ${job.id} and state = 'running' and runner = ${runner} for update`
      if (held.length === 0) return yield* new Superseded({ job: job.id })
      return yield* change
    })
  )
