/**
 * The scale of a time line: where a moment lies on it, and which lengths of time stand below it. Pure. Unit:
 * milliseconds.
 */

export interface Scale {
  readonly from: number
  readonly to: number
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Between two ticks; what people count time in. */
const steps = [
  10,
  20,
  50,
  100,
  200,
  500,
  second,
  2 * second,
  5 * second,
  10 * second,
  15 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
  48 * hour,
  7 * 24 * hour
]

/** Shorter than this nothing is drawn: a run of 3 ms has an axis, too. Unit: milliseconds. */
const shortest = 100

/** From the first moment to the last, with some air behind it. */
export const scaleOf = (moments: ReadonlyArray<number>): Scale => {
  const from = Math.min(...moments)
  const length = Math.max(Math.max(...moments) - from, shortest)
  return { from, to: from + length * 1.04 }
}

/** Percent of the width, within it. */
export const place = ({ from, to }: Scale, at: number): number =>
  Math.min(100, Math.max(0, ((at - from) / (to - from)) * 100))

/** Offsets from the beginning at which a tick stands, `most` at most and the beginning among them. */
export const ticks = ({ from, to }: Scale, most: number): ReadonlyArray<number> => {
  const step =
    steps.find((step) => (to - from) / step <= most - 1) ??
    steps.at(-1)! * Math.ceil((to - from) / steps.at(-1)! / (most - 1))
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => index * step)
}
