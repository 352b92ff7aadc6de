/**
 * Every target of a storm with when it could have gone and when it arrived, and the order in which graver ones went.
 * Pure.
 */
import type { Part, StormAlarm, StormTarget } from "./Alarms.ts"
import { priorityOf, type Severity } from "#daemons/comm-dispatcher/vocabulary/Target.ts"

/** Times are epoch milliseconds. */
export interface Arrival {
  readonly id: number
  readonly severity: Severity
  readonly target: StormTarget
  /** When the ledger had it. */
  readonly known: number
  /** When its receiver first got it. */
  readonly arrived: number
}

/**
 * A graver one that went behind a less grave one although it had been known for longer than the window when that one
 * went.
 */
export interface Inversion {
  readonly graver: Arrival
  readonly before: Arrival
  /** Unit: milliseconds from when the less grave one went to when the graver did. */
  readonly late: number
}

export interface Order {
  /** Pairs of different gravity on one channel that waited at the same time. */
  readonly pairs: number
  readonly inversions: ReadonlyArray<Inversion>
}

/**
 * Looks at the prompt receivers of one channel. `window`: for how long the graver one must have been known. Unit:
 * milliseconds.
 */
export const orderOf = (arrivals: ReadonlyArray<Arrival>, part: Part, window: number): Order => {
  const all = arrivals.filter(({ target }) => target.part === part && target.kind === "prompt")
  let pairs = 0
  const inversions: Array<Inversion> = []
  for (const graver of all) {
    for (const before of all) {
      if (priorityOf[graver.severity] <= priorityOf[before.severity]) continue
      if (graver.known + window > before.arrived || before.known + window > graver.arrived) continue
      pairs += 1
      if (before.arrived < graver.arrived) inversions.push({ graver, before, late: graver.arrived - before.arrived })
    }
  }
  return { pairs, inversions }
}

/** How long the targets of a kind waited, the longest last. Unit: milliseconds. */
export const waits = (arrivals: ReadonlyArray<Arrival>, of: (target: StormTarget) => boolean): ReadonlyArray<number> =>
  arrivals
    .filter(({ target }) => of(target))
    .map(({ arrived, known }) => arrived - known)
    .toSorted((a, b) => a - b)

/**
 * The longest time in which a channel delivered nothing to a prompt receiver although one was waiting. Unit:
 * milliseconds.
 */
export const longestPause = (arrivals: ReadonlyArray<Arrival>, part: Part): number => {
  const all = arrivals
    .filter(({ target }) => target.part === part && target.kind === "prompt")
    .toSorted((a, b) => a.arrived - b.arrived)
  let longest = 0
  let waitingSince = Infinity
  for (let index = all.length - 1; index >= 0; index--) {
    const { arrived, known } = all[index]!
    waitingSince = Math.min(waitingSince, known)
    longest = Math.max(longest, arrived - Math.max(waitingSince, all[index - 1]?.arrived ?? 0))
  }
  return longest
}

/** The alarm that a text belongs to. */
export const alarmOf = (alarms: ReadonlyMap<number, StormAlarm>, text: string): StormAlarm | undefined => {
  const id = /storm alarm number (\d+)/.exec(text)?.[1]
  return id === undefined ? undefined : alarms.get(Number(id))
}
