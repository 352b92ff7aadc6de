/** Time range of a chart and its buckets. Pure. */
import { Schema } from "effect"
import { Time } from "#core/http/Time.ts"

/** Longest range. Unit: days. Reason: a quarter; every run in it is counted. */
export const mostDays = 92

/** Maximum number of buckets per response. Reason: more bars than a chart has pixels. */
export const mostBuckets = 500
export const usualBuckets = 48

/** Default range: the last day. Unit: milliseconds. */
const day = 24 * 3600 * 1000

export const timeRangeQuery = {
  /** Default: a day before `until`. */
  since: Schema.optionalKey(Time),
  /** Default: now. */
  until: Schema.optionalKey(Time),
  buckets: Schema.optionalKey(
    Schema.NumberFromString.pipe(
      Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: mostBuckets })))
    )
  )
}

/** From `since` (inclusive) to `until` (exclusive). Epoch milliseconds. */
export interface TimeRange {
  readonly since: number
  readonly until: number
  readonly buckets: number
}

/** The range, or a text that says what is wrong with `since`. */
export const timeRangeOf = (
  query: { readonly since?: string; readonly until?: string; readonly buckets?: number },
  now: number
): TimeRange | string => {
  const until = query.until === undefined ? now : Date.parse(query.until)
  const since = query.since === undefined ? until - day : Date.parse(query.since)
  if (since >= until) return "must be before until"
  if (until - since > mostDays * day) return `must be within ${mostDays} days before until`
  return { since, until, buckets: query.buckets ?? usualBuckets }
}

/** Begin of each bucket, ISO 8601. */
export const bucketStarts = ({ buckets, since, until }: TimeRange): ReadonlyArray<string> =>
  Array.from({ length: buckets }, (_, index) => new Date(since + ((until - since) * index) / buckets).toISOString())
