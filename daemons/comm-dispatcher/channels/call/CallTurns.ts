import { priorityOf, type Severity } from "../../vocabulary/Exports.ts"
/** Whose turn it is among the calls that wait in one process. Pure. Times are epoch milliseconds. */

/** A call that wants to be made. */
export interface Turn {
  readonly gateway: string
  readonly severity: Severity | null
  /** When it was due; how long it may wait counts from here. */
  readonly dueAt: number
}

/** The gravest first, then the one that was due first. */
export const byUrgency = (a: Turn, b: Turn): number =>
  priorityOf[b.severity ?? "INFO"] - priorityOf[a.severity ?? "INFO"] || a.dueAt - b.dueAt

/** Those that have waited long enough to go without the lock, the most urgent first. */
export const overdue = <T extends Turn>(waiting: Iterable<T>, now: number, wait: number): ReadonlyArray<T> =>
  [...waiting].filter((turn) => turn.dueAt + wait <= now).sort(byUrgency)

/** Unit: milliseconds. How long one ask for the lock may block its session: others become overdue, or come and are graver. */
const longestSlice = 1_000

/** Unit: milliseconds. Between two looks for a free slot, when all are taken. */
const lookAgain = 500

/** How long the session may block for the lock now, or sleep when there is nothing to ask. */
export const slice = (waiting: Iterable<Turn>, now: number, wait: number): number => {
  let next = longestSlice
  for (const { dueAt } of waiting) {
    const left = dueAt + wait - now
    next = Math.min(next, left <= 0 ? lookAgain : left)
  }
  return Math.max(next, 10)
}
