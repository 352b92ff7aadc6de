/** Counts of events over a time range, limited to what the reader may see. */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { seenBy } from "#core/events/EventFeed.ts"
import { bucketStarts, type TimeRange } from "../../vocabulary/Exports.ts"
import { type Arm, armsOf, type Reader, typesFor, union } from "./EventLog.ts"

export interface Bucket {
  /** Begin of the bucket, ISO 8601. */
  readonly at: string
  /** Number of events by type. */
  readonly counts: Record<string, number>
}

/** All buckets of the time range, including empty ones. */
export const buckets = (
  reader: Reader,
  pattern: string,
  range: TimeRange
): Effect.Effect<ReadonlyArray<Bucket>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* seenBy(reader, countStatement(sql, armsOf(sql, reader, yield* typesFor(pattern)), range))
    const all = bucketStarts(range).map((at): Bucket => ({ at, counts: {} }))
    for (const { bucket, n, type } of rows) all[bucket]!.counts[type] = n
    return all
  })

/** The statement: one row per bucket and type. Exported for a test of its plan. */
export const countStatement = (
  sql: SqlClient.SqlClient,
  arms: ReadonlyArray<Arm>,
  { buckets, since, until }: TimeRange
) => {
  const length = (until - since) / buckets
  const parts = arms.map(
    ({ scope, types }) => sql`select e.type, e.at from unnest(${types}::text[]) k (type)
    join core.event e on e.type = k.type where ${scope} and e.at >= ${new Date(since)} and e.at < ${new Date(until)}`
  )
  return sql<{ bucket: number; type: string; n: number }>`
    select greatest(0, least(floor((extract(epoch
      from e.at)::float8 * 1000 - ${since}::float8) / ${length}::float8)::int, ${buckets - 1}::int)) as bucket,
        e.type, count(*)::int as n
      from (${union(sql, parts)}) e group by 1, 2`
}
