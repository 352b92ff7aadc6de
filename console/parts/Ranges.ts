/**
 * Stretches of time that end now, cut into buckets for a chart. The cuts lie at whole steps of the clock, so that a
 * chart asked for again a second later has the same bars. Pure.
 */
const minute = 60_000
const hour = 60 * minute

/** Length of a bucket, in milliseconds, and how many: as many as can be told apart in a narrow window. */
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

/** `now`: epoch milliseconds; it lies in the last bucket. */
export const rangeOf = (name: RangeName, now: number): Range => {
  const { buckets, step } = cuts[name]
  const until = (Math.floor(now / step) + 1) * step
  return { since: new Date(until - buckets * step).toISOString(), until: new Date(until).toISOString(), buckets }
}
