/**
 * Limits frequent notices to one an hour: the first is sent at once, further ones are counted and sent together at the
 * end of the hour. One row per `key`, changed only in the transaction that records a step or completes the digest job.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { define, Jobs } from "#core/jobs/Jobs.ts"

/** The hour of a digest has ended. */
export const DigestDue = define(
  "workflow.digest",
  Schema.Struct({
    tenant_id: Schema.Int,
    workflow: Schema.String,
    key: Schema.String,
    /** Time of the last notice (ISO 8601). A later notice starts another hour and makes this digest obsolete. */
    told_at: Schema.String,
    /** Code of the language. */
    language: Schema.String
  })
)

export interface DigestOf {
  readonly tenant_id: number
  readonly workflow: string
  readonly key: string
  readonly language: string
}

/** Counts one occurrence. Returns whether to notify now, and the begin of the hour. */
export const count = Effect.fnUntraced(function* (digest: DigestOf, hour: number) {
  const sql = yield* SqlClient.SqlClient
  const jobs = yield* Jobs
  const { key, tenant_id, workflow } = digest
  // Insert and update both lock the row, so that concurrent counts run one after another.
  const [row] = yield* sql<{ told_at: Date; waiting: number }>`
    insert into comm_dispatcher.workflow_digest as d (tenant_id, workflow, key, told_at)
      values (${tenant_id}, ${workflow}, ${key}, ${sql.literal(moment)})
    on conflict (tenant_id, workflow, key) do update set
      waiting = case when ${over(sql, hour)} then 0 else d.waiting + 1 end,
      told_at = case when ${over(sql, hour)} then ${sql.literal(moment)} else d.told_at end
    returning told_at, waiting`
  const told_at = row!.told_at
  if (row!.waiting === 1) {
    yield* jobs.send(DigestDue, [
      { data: { ...digest, told_at: told_at.toISOString() }, startAfter: new Date(told_at.getTime() + hour) }
    ])
  }
  return { now: row!.waiting === 0, told_at }
})

/**
 * Nothing waits and the hour has ended: notify at once. Waiting occurrences belong to the digest job, even a late one.
 */
const over = (sql: SqlClient.SqlClient, hour: number) =>
  sql`(d.waiting = 0 and d.told_at <= clock_timestamp() - make_interval(secs => ${hour / 1000}))`

/** Takes the occurrences of this hour; 0 when they were taken before. */
export const take = Effect.fnUntraced(function* ({ key, tenant_id, told_at, workflow }: typeof DigestDue.data.Type) {
  const sql = yield* SqlClient.SqlClient
  const own = sql`tenant_id = ${tenant_id} and workflow = ${workflow} and key = ${key}
    and told_at = ${new Date(told_at)} and waiting > 0`
  const [row] = yield* sql<{
    waiting: number
  }>`select waiting from comm_dispatcher.workflow_digest where ${own} for update`
  if (row === undefined) return 0
  yield* sql`update comm_dispatcher.workflow_digest set waiting = 0, told_at = ${sql.literal(moment)} where ${own}`
  return row.waiting
})

/** The current time, truncated to the milliseconds of a Date. */
const moment = "date_trunc('milliseconds', clock_timestamp())"
