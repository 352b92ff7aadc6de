/** The stretch of time that the log's filter names. Pure. */
import { isRangeName, type Range, rangeOf } from "../../parts/Ranges.ts"

/** Buckets of a stretch of one's own. */
const buckets = 60

/** A day back from `until`, where no beginning was said. Unit: milliseconds. */
const day = 86_400_000

/**
 * `since` and `until` as `datetime-local` writes them, in the clock of this machine; empty: not said. `now`: epoch
 * milliseconds.
 */
export const whenOf = (
  { range, since, until }: { readonly range: string; readonly since: string; readonly until: string },
  now: number
): Range => {
  if (isRangeName(range)) return rangeOf(range, now)
  const end = timeOf(until) ?? now
  const begin = timeOf(since) ?? end - day
  return { since: new Date(begin).toISOString(), until: new Date(end).toISOString(), buckets }
}

const timeOf = (text: string): number | undefined => {
  const at = text === "" ? Number.NaN : new Date(text).getTime()
  return Number.isNaN(at) ? undefined : at
}
