/** Durations that forms offer. Unit: seconds. */
import { longDuration } from "../../lib/Format.ts"

const hour = 3_600
const day = 24 * hour

/** Durations of bans. The numbers of the rules of document 3 §2.6 are among them. */
export const banSeconds: ReadonlyArray<number> = [hour, day, 7 * day, 30 * day, 365 * day]

/** Durations of exemptions. */
export const exemptionSeconds: ReadonlyArray<number> = [hour, day, 7 * day, 30 * day, 90 * day]

/** Durations of silences. */
export const silenceSeconds: ReadonlyArray<number> = [hour, 4 * hour, day, 7 * day, 30 * day]

/** Options of a choice. */
export const secondsOptions = (all: ReadonlyArray<number>): ReadonlyArray<readonly [string, () => string]> =>
  all.map((seconds) => [String(seconds), () => longDuration(seconds * 1000)] as const)
