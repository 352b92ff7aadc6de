/**
 * Credits measured time to days in UTC. Pure. Unit: milliseconds throughout.
 *
 * Between two checks a component counts with the status shown at the earlier one, for at most `longest`; the rest is a
 * gap. A monotonic clock measures the elapsed time; the wall clock only chooses the day. A wall clock set forward
 * therefore adds no time, and one set back counts no time twice: a day never exceeds 24 hours.
 */
import { type ComponentStatus, componentStatuses } from "../status/Vocabulary.ts"

export const dayLength = 86_400_000

/** Multiple of the interval for which one check counts. Reason: a late check causes no gap; a missing one does. */
export const reach = 1.5

/** Point in time by both clocks. */
export interface Moment {
  /** Unix time in whole milliseconds. */
  readonly wall: number
  /** Clock of this process in whole milliseconds; null for times of an earlier process. */
  readonly monotonic: number | null
}

/** Time from `from` to `to`, at least 0 and at most `longest`. */
export const measured = (from: Moment, to: Moment, longest: number): number => {
  const passed = from.monotonic !== null && to.monotonic !== null ? to.monotonic - from.monotonic : to.wall - from.wall
  return Math.max(0, Math.min(passed, longest))
}

/** UTC day, such as `2026-01-31`. */
export const dayOf = (wall: number): string => new Date(wall).toISOString().slice(0, 10)

/** Splits a length of time, starting at `wall`, into its days, in order and without empty ones. */
export const split = (
  wall: number,
  length: number
): ReadonlyArray<{ readonly day: string; readonly length: number }> => {
  const parts: Array<{ readonly day: string; readonly length: number }> = []
  for (let at = wall; at < wall + length;) {
    const midnight = (Math.floor(at / dayLength) + 1) * dayLength
    const end = Math.min(midnight, wall + length)
    parts.push({ day: dayOf(at), length: end - at })
    at = end
  }
  return parts
}

/** Time of one day by status. */
export type Share = Readonly<Record<ComponentStatus, number>>

export const noShare: Share = {
  operational: 0,
  degraded_performance: 0,
  partial_outage: 0,
  major_outage: 0,
  under_maintenance: 0
}

export const sum = (share: Share): number => componentStatuses.reduce((total, status) => total + share[status], 0)

export const plus = (share: Share, status: ComponentStatus, length: number): Share => ({
  ...share,
  [status]: share[status] + length
})

/** Sum of both shares, cut at the length of a day. */
export const fill = (there: Share, added: Share): Share => {
  let room = Math.max(0, dayLength - sum(there))
  let filled = there
  for (const status of componentStatuses) {
    const length = Math.min(added[status], room)
    room -= length
    filled = plus(filled, status, length)
  }
  return filled
}

/** First of the last `days` days, including today. */
export const oldestKept = (wall: number, days: number): string => dayOf(wall - (days - 1) * dayLength)
