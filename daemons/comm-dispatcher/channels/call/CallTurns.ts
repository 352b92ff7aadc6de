import { priorityOf, type Severity } from "../../vocabulary/Exports.ts"
/** Order of the calls that wait in one process. Pure. Times are epoch milliseconds. */

/** A waiting call. */
export interface Turn {
  readonly gateway: string
  readonly severity: Severity | null
  /** When the call was due. Its wait is measured from here. */
  readonly dueAt: number
}

/** The most severe first, then the one that was due first. */
export const byUrgency = (a: Turn, b: Turn): number =>
  priorityOf[b.severity ?? "INFO"] - priorityOf[a.severity ?? "INFO"] || a.dueAt - b.dueAt

/** Calls that have waited long enough to go without the lock, the most urgent first. */
export const overdue = <T extends Turn>(waiting: Iterable<T>, now: number, wait: number): ReadonlyArray<T> =>
  [...waiting].filter((turn) => turn.dueAt + wait <= now).sort(byUrgency)

/**
 * Longest lock request. Unit: milliseconds. Reason: it blocks the session, while calls become overdue or more severe
 * ones arrive.
 */
const longestSlice = 1_000

/** Interval of checks for a free slot. Unit: milliseconds. */
const lookAgain = 500

/** How long the session may block for the lock, or sleep without a request. */
export const slice = (waiting: Iterable<Turn>, now: number, wait: number): number => {
  let next = longestSlice
  for (const { dueAt } of waiting) {
    const left = dueAt + wait - now
    next = Math.min(next, left <= 0 ? lookAgain : left)
  }
  return Math.max(next, 10)
}
