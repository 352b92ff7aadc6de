/**
 * Arrival of every target of a storm, with the time since when it could be delivered, and the order of delivery by
 * severity. Pure.
 */
import type { Part, StormAlarm, StormTarget } from "./Alarms.ts"
import { priorityOf, type Severity } from "#daemons/comm-dispatcher/vocabulary/Target.ts"

/** Arrival of one target. Times in epoch milliseconds. */
export interface Arrival {
  readonly id: number
  readonly severity: Severity
  readonly target: StormTarget
  /** Time at which the ledger stored it. */
  readonly known: number
  /** Time at which its receiver first got it. */
  readonly arrived: number
}

/**
 * A target of higher severity that was delivered after one of lower severity, although it had been known for longer
 * than the window.
 */
export interface Inversion {
  readonly graver: Arrival
  readonly before: Arrival
  /** Delay of the graver delivery after the less grave one. Unit: milliseconds. */
  readonly late: number
}

export interface Order {
  /** Number of pairs with different severity on one channel that waited at the same time. */
  readonly pairs: number
  readonly inversions: ReadonlyArray<Inversion>
}

/**
 * Delivery order at the prompt receivers of one channel. `window`: time for which the graver target must have been
 * known, in milliseconds.
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

/** Waiting times of the selected targets, ascending. Unit: milliseconds. */
export const waits = (arrivals: ReadonlyArray<Arrival>, of: (target: StormTarget) => boolean): ReadonlyArray<number> =>
  arrivals
    .filter(({ target }) => of(target))
    .map(({ arrived, known }) => arrived - known)
    .toSorted((a, b) => a - b)

/**
 * Longest period in which a channel delivered nothing to prompt receivers although one was waiting. Unit: milliseconds.
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

/** Alarm to which a text belongs. */
export const alarmOf = (alarms: ReadonlyMap<number, StormAlarm>, text: string): StormAlarm | undefined => {
  const id = /storm alarm number (\d+)/.exec(text)?.[1]
  return id === undefined ? undefined : alarms.get(Number(id))
}
