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

/** Shortest ban and exemption. Unit: seconds. Source: bounds of watchdog's requests. */
const shortest = 60

/** Duration until a time, at least the shortest that the server takes. Unit: seconds. */
export const secondsLeft = (until: string, now: number = Date.now()): number =>
  Math.max(shortest, Math.round((Date.parse(until) - now) / 1_000))
