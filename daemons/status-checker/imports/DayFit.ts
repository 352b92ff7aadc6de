/** A day measured elsewhere, put beside what was measured here. Pure. Unit: milliseconds. */
import { type Share, sum } from "../checks/Exports.ts"
import { componentStatuses } from "../status/Vocabulary.ts"

/**
 * What was measured here stays; the imported fills the rest of the day's `length` (so far, of today), in its own
 * proportions. So a day never holds more than a day, and the first minutes here do not push out what is known of the
 * morning.
 */
export const fit = (there: Share, imported: Share, length: number): Share => {
  const total = sum(imported)
  const room = Math.max(0, Math.min(total, length - sum(there)))
  if (total === 0 || room === 0) return there
  const fitted = { ...there }
  for (const status of componentStatuses) fitted[status] = there[status] + Math.floor((imported[status] * room) / total)
  return fitted
}
