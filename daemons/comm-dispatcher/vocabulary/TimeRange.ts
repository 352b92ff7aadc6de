/** The stretch of time that a chart is asked for, and its buckets. Pure. */
import { Schema } from "effect"
import { Time } from "#core/http/Time.ts"

/** The longest stretch. Unit: days. Reason: a quarter; every run in it is counted for the answer. */
export const mostDays = 92

/** Unit: buckets of one answer. Reason: more than a chart has pixels for bars. */
export const mostBuckets = 500
export const usualBuckets = 48

/** Where nothing is said: the last day. Unit: milliseconds. */
const day = 24 * 3600 * 1000

export const stretchQuery = {
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

/** From `since`, included, to `until`. Epoch milliseconds. */
export interface Stretch {
  readonly since: number
  readonly until: number
  readonly buckets: number
}

/** A text: what is wrong with `since`. */
export const stretchOf = (
  query: { readonly since?: string; readonly until?: string; readonly buckets?: number },
  now: number
): Stretch | string => {
  const until = query.until === undefined ? now : Date.parse(query.until)
  const since = query.since === undefined ? until - day : Date.parse(query.since)
  if (since >= until) return "must be before until"
  if (until - since > mostDays * day) return `must be within ${mostDays} days before until`
  return { since, until, buckets: query.buckets ?? usualBuckets }
}

/** When each bucket begins, ISO 8601. */
export const bucketStarts = ({ buckets, since, until }: Stretch): ReadonlyArray<string> =>
  Array.from({ length: buckets }, (_, index) => new Date(since + ((until - since) * index) / buckets).toISOString())
