/** Scale of a time line: the position of a moment, and the ticks. Pure. Unit: milliseconds. */

export interface Scale {
  readonly from: number
  readonly to: number
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Distances between two ticks: usual steps of time. */
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

/** Shortest scale, so that a run of 3 ms also has an axis. Unit: milliseconds. */
const shortest = 100

/** Scale from the first moment to the last, with a small margin at the end. */
export const scaleOf = (moments: ReadonlyArray<number>): Scale => {
  const from = Math.min(...moments)
  const length = Math.max(Math.max(...moments) - from, shortest)
  return { from, to: from + length * 1.04 }
}

/** Position of a moment in percent of the width, limited to 0 to 100. */
export const place = ({ from, to }: Scale, at: number): number =>
  Math.min(100, Math.max(0, ((at - from) / (to - from)) * 100))

/** Offsets of the ticks from the start; at most `most`, the first at 0. */
export const ticks = ({ from, to }: Scale, most: number): ReadonlyArray<number> => {
  const step =
    steps.find((step) => (to - from) / step <= most - 1) ??
    steps.at(-1)! * Math.ceil((to - from) / steps.at(-1)! / (most - 1))
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => index * step)
}
