/** Counts of runs by time of begin. Runs in the surrounding transaction with its role. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { bucketStarts, type TimeRange } from "../vocabulary/Exports.ts"

export interface Bucket {
  /** Begin of the bucket, ISO 8601. */
  readonly at: string
  readonly states: Record<string, number>
  readonly severities: Record<string, number>
}

/** The statement of the chart: one row per bucket, state and severity. */
export const bucketStatement = (sql: SqlClient.SqlClient, { buckets, since, until }: TimeRange, workflow?: string) =>
  sql<{ bucket: number; state: string; severity: string | null; n: number }>`
    select least(floor((extract(epoch
      from created_at)::float8 * 1000 - ${since}::float8) / ${(until - since) / buckets}::float8)::int,
        ${buckets - 1}::int) as bucket,
           state, severity, count(*)::int as n
      from comm_dispatcher.run
     where created_at >= ${new Date(since)}
       and created_at < ${new Date(until)} ${workflow === undefined ? sql`` : sql`and workflow = ${workflow}`}
     group by 1, 2, 3`

/** All buckets of the time range, including empty ones. */
export const buckets = (range: TimeRange, workflow?: string) =>
  Effect.map(
    Effect.flatMap(SqlClient.SqlClient, (sql) => bucketStatement(sql, range, workflow)),
    (rows): ReadonlyArray<Bucket> => {
      const all = bucketStarts(range).map((at): Bucket => ({ at, states: {}, severities: {} }))
      for (const { bucket, n, severity, state } of rows) {
        const { severities, states } = all[Math.max(bucket, 0)]!
        states[state] = (states[state] ?? 0) + n
        if (severity !== null) severities[severity] = (severities[severity] ?? 0) + n
      }
      return all
    }
  )

/** Number of runs per workflow and state within a day. */
export const lastDay = Effect.map(
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<{
        workflow: string
        state: string
        n: number
      }>`select workflow, state, count(*)::int as n from comm_dispatcher.run
      where created_at > now() - interval '1 day' group by 1, 2`
  ),
  (rows) => {
    const counts = new Map<string, Record<string, number>>()
    for (const { n, state, workflow } of rows) counts.set(workflow, { ...counts.get(workflow), [state]: n })
    return counts
  }
)
