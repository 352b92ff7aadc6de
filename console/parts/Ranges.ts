/**
 * Time ranges that end now, divided into buckets for a chart. Bucket boundaries are multiples of the step, so a reload
 * a second later shows the same bars. Pure.
 */
const minute = 60_000
const hour = 60 * minute

/** Bucket length in milliseconds and number of buckets, few enough for a narrow window. */
const cuts = {
  hour: { step: minute, buckets: 60 },
  day: { step: 30 * minute, buckets: 48 },
  week: { step: 2 * hour, buckets: 84 },
  month: { step: 12 * hour, buckets: 60 }
} as const

export type RangeName = keyof typeof cuts

export const rangeNames = Object.keys(cuts) as ReadonlyArray<RangeName>

export const isRangeName = (text: string): text is RangeName => text in cuts

export interface Range {
  /** ISO 8601. */
  readonly since: string
  readonly until: string
  readonly buckets: number
}

/** `now`: epoch milliseconds, within the last bucket. */
export const rangeOf = (name: RangeName, now: number): Range => {
  const { buckets, step } = cuts[name]
  const until = (Math.floor(now / step) + 1) * step
  return { since: new Date(until - buckets * step).toISOString(), until: new Date(until).toISOString(), buckets }
}
