/** Counts of runs, by when they began. Runs in the surrounding transaction with the role it has. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { bucketStarts, type Stretch } from "../vocabulary/Exports.ts"

export interface Bucket {
  /** When it begins, ISO 8601. */
  readonly at: string
  readonly states: Record<string, number>
  readonly severities: Record<string, number>
}

/** The statement of the chart: one row for each bucket, state and severity that there is. */
export const bucketStatement = (sql: SqlClient.SqlClient, { buckets, since, until }: Stretch, workflow?: string) =>
  sql<{ bucket: number; state: string; severity: string | null; n: number }>`
    select least(floor((extract(epoch from created_at)::float8 * 1000 - ${since}::float8) / ${(until - since) / buckets}::float8)::int, ${buckets - 1}::int) as bucket,
           state, severity, count(*)::int as n
      from comm_dispatcher.run
     where created_at >= ${new Date(since)} and created_at < ${new Date(until)} ${workflow === undefined ? sql`` : sql`and workflow = ${workflow}`}
     group by 1, 2, 3`

/** Every bucket of the stretch, also those in which nothing began. */
export const buckets = (stretch: Stretch, workflow?: string) =>
  Effect.map(
    Effect.flatMap(SqlClient.SqlClient, (sql) => bucketStatement(sql, stretch, workflow)),
    (rows): ReadonlyArray<Bucket> => {
      const all = bucketStarts(stretch).map((at): Bucket => ({ at, states: {}, severities: {} }))
      for (const { bucket, n, severity, state } of rows) {
        const { severities, states } = all[Math.max(bucket, 0)]!
        states[state] = (states[state] ?? 0) + n
        if (severity !== null) severities[severity] = (severities[severity] ?? 0) + n
      }
      return all
    }
  )

/** How many runs of each workflow began within a day, by their state. */
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
