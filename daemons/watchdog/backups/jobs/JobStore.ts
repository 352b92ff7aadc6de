/** Reads and adds jobs. Runs in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Wake } from "#core/events/Wake.ts"
import { NotFound } from "#core/http/Problem.ts"
import type { DrillReport, JobView, LeftOut } from "../Api.ts"
import type { BackupType, JobState, Work } from "../BackupWords.ts"

/** Topic that wakes the runner and the schedules. */
export const jobTopic = "backup jobs"

export interface JobRow {
  readonly id: string
  readonly seq: number
  readonly work: Work
  readonly state: JobState
  readonly type: BackupType
  readonly schedule_id: number | null
  readonly schedule: string | null
  readonly firing: Date | null
  readonly requested_by: string
  readonly attempts: number
  readonly step: string | null
  readonly done: number | null
  readonly total: number | null
  readonly snapshot: string | null
  readonly size: number | null
  readonly added: number | null
  readonly files: number | null
  readonly left_out: ReadonlyArray<typeof LeftOut.Type>
  readonly report: typeof DrillReport.Type | null
  readonly problem: string | null
  readonly created_at: Date
  readonly started_at: Date | null
  readonly finished_at: Date | null
}

export const jobFields = (sql: SqlClient.SqlClient) =>
  sql`id, seq, work, state, type, schedule_id, schedule, firing, requested_by, attempts, step, done::float8 as done,
    total::float8 as total, snapshot, size::float8 as size, added::float8 as added, files, left_out, report, problem,
    created_at, started_at, finished_at`

export const view = ({
  attempts: _attempts,
  created_at,
  finished_at,
  firing,
  started_at,
  ...row
}: JobRow): typeof JobView.Type => ({
  ...row,
  firing: firing?.toISOString() ?? null,
  created_at: created_at.toISOString(),
  started_at: started_at?.toISOString() ?? null,
  finished_at: finished_at?.toISOString() ?? null,
  duration_ms: durationOf({ started_at, finished_at })
})

/** Unit: milliseconds; null while the job is not ended. */
export const durationOf = ({ finished_at, started_at }: Pick<JobRow, "finished_at" | "started_at">): number | null =>
  finished_at === null || started_at === null ? null : Math.max(0, finished_at.getTime() - started_at.getTime())

export interface Filter {
  readonly work?: Work
  readonly state?: JobState
  readonly schedule_id?: number
}

/** Jobs with `seq` below `before`, newest first. */
export const list = Effect.fnUntraced(function* (filter: Filter, before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  const conditions = [
    sql`true`,
    ...(before === undefined ? [] : [sql`seq < ${before}`]),
    ...(filter.work === undefined ? [] : [sql`work = ${filter.work}`]),
    ...(filter.state === undefined ? [] : [sql`state = ${filter.state}`]),
    ...(filter.schedule_id === undefined ? [] : [sql`schedule_id = ${filter.schedule_id}`])
  ]
  return yield* sql<JobRow>`select ${jobFields(sql)} from watchdog.backup_job
    where ${sql.and(conditions)} order by seq desc limit ${limit}`
})

/** The job with this id, or 404. */
export const get = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<JobRow>`select ${jobFields(sql)} from watchdog.backup_job where id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The job does not exist." }))
})

/** Jobs that wrote one of these snapshots. */
export const bySnapshot = Effect.fnUntraced(function* (snapshots: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  if (snapshots.length === 0) return []
  return yield* sql<JobRow>`select ${jobFields(sql)} from watchdog.backup_job
    where work = 'backup' and ${sql.in("snapshot", snapshots)}`
})

export interface NewJob {
  readonly work: Work
  readonly type: BackupType
  readonly schedule: { readonly id: number; readonly name: string } | null
  readonly firing: Date | null
  readonly by: string
}

/**
 * Adds a job. A job of the same kind and schedule that still waits or runs is returned instead. Undefined: the firing
 * was handled before.
 */
export const add = Effect.fnUntraced(function* ({ by, firing, schedule, type, work }: NewJob) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select pg_advisory_xact_lock(hashtextextended('watchdog backup job', 0))`
  const [open] = yield* sql<JobRow>`select ${jobFields(sql)} from watchdog.backup_job
    where work = ${work} and state in ('waiting', 'running')
      and schedule_id is not distinct from ${schedule?.id ?? null}
    order by seq limit 1`
  if (open !== undefined) return open
  const [added] = yield* sql<JobRow>`insert into watchdog.backup_job
      (work, type, schedule_id, schedule, firing, requested_by)
    values (${work}, ${type}, ${schedule?.id ?? null}, ${schedule?.name ?? null}, ${firing}, ${by})
    on conflict do nothing returning ${jobFields(sql)}`
  yield* Effect.flatMap(Wake, (wake) => wake.announce(jobTopic))
  return added
})

/** How long ended jobs are kept. Unit: days. Reason: longer than the oldest backup of half a year. */
const keptDays = 400

export const prune = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`delete from watchdog.backup_job where finished_at < now() - make_interval(days => ${keptDays})`
)
