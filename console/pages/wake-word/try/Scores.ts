/** The last scores and wakes of a trial. Pure. */
import type { Wake } from "../../../wake-word/WakeWord.ts"

/** Scores in the chart. Reason: steps of 80 ms; 8 s. */
export const shownScores = 100

/** Wakes in the list. */
const shownWakes = 20

export interface HeardWake extends Wake {
  /** Epoch milliseconds. */
  readonly at: number
}

export const withScore = (scores: ReadonlyArray<number>, score: number): ReadonlyArray<number> => [
  ...scores.slice(1 - shownScores),
  score
]

/** Newest first. */
export const withWake = (wakes: ReadonlyArray<HeardWake>, wake: HeardWake): ReadonlyArray<HeardWake> =>
  [wake, ...wakes].slice(0, shownWakes)
