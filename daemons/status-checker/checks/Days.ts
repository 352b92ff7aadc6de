/**
 * Measured time, credited to days in UTC. Pure. Unit: milliseconds throughout.
 *
 * From one check to the next a component counts as what was shown at the earlier one, for at most `longest` of that
 * time: what is missing then is a gap, and is shown as one. How much time passed is told by a monotonic clock; the wall
 * clock says only on which day. So a wall clock that is put forward invents nothing, and one that is put back doubles
 * nothing: a day never holds more than a day.
 */
import { type ComponentStatus, componentStatuses } from "../status/Vocabulary.ts"

export const dayLength = 86_400_000

/**
 * Share of the interval between two checks that one check may stand for. Reason: one that comes late is no gap, one
 * that is left out is.
 */
export const reach = 1.5

/** When something was, by both clocks. */
export interface Moment {
  /** Unix time, whole milliseconds. */
  readonly wall: number
  /** Of this process, whole milliseconds; null: of another life, whose clock nobody has any more. */
  readonly monotonic: number | null
}

/** How long `from` holds, at most until `to`. Never negative. */
export const measured = (from: Moment, to: Moment, longest: number): number => {
  const passed = from.monotonic !== null && to.monotonic !== null ? to.monotonic - from.monotonic : to.wall - from.wall
  return Math.max(0, Math.min(passed, longest))
}

/** `2026-01-31`. */
export const dayOf = (wall: number): string => new Date(wall).toISOString().slice(0, 10)

/** A length of time from a moment on, in the days in which it lies; in order, none of them empty. */
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

/** How long as what, of one day. */
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

/** Both together, as far as the day has room: of what comes to a full day the rest is left out. */
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

/** The first day that is kept when `days` are, today among them. */
export const oldestKept = (wall: number, days: number): string => dayOf(wall - (days - 1) * dayLength)
