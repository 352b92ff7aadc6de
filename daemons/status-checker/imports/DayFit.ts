/** Combines an imported day with measured time. Pure. Unit: milliseconds. */
import { type Share, sum } from "../checks/Exports.ts"
import { componentStatuses } from "../status/Vocabulary.ts"

/**
 * Measured time stays unchanged; imported time fills the rest of `length` (today: the elapsed part), in its own
 * proportions. A day therefore never exceeds its length, and the first minutes of measurement do not replace the
 * imported morning.
 */
export const fit = (there: Share, imported: Share, length: number): Share => {
  const total = sum(imported)
  const room = Math.max(0, Math.min(total, length - sum(there)))
  if (total === 0 || room === 0) return there
  const fitted = { ...there }
  for (const status of componentStatuses) fitted[status] = there[status] + Math.floor((imported[status] * room) / total)
  return fitted
}
