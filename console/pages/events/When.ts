/** The time range of the event filter. Pure. */
import { timeAt } from "../../lib/TimeZone.ts"
import { isRangeName, type Range, rangeOf } from "../../parts/Ranges.ts"

/** Number of buckets for a custom range. */
const buckets = 60

/** Length of a custom range without a start. Unit: milliseconds. */
const day = 86_400_000

/**
 * `since` and `until` as `datetime-local` inputs write them, in the account's time zone; empty when not set. `now`:
 * epoch milliseconds.
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
  const at = text === "" ? Number.NaN : timeAt(text)
  return Number.isNaN(at) ? undefined : at
}
