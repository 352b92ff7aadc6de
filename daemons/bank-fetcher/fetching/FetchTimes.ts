/** When the statements of an account are fetched by schedule. Pure. All times are UTC, in milliseconds since 1970. */
import { Result } from "effect"
import { createHash } from "node:crypto"
import { latestFiring, nextFiring, parseSchedule, type Schedule } from "../bank-store/ScheduleText.ts"

export type ScheduledReason = "daily" | "intraday"

export const scheduledReasons: ReadonlyArray<ScheduledReason> = ["daily", "intraday"]

/** Times of one kind of fetch. Each firing takes place `jitter` milliseconds later. */
export interface FetchTimes {
  readonly schedule: Schedule
  readonly jitter: number
}

/** Hours of the intraday fetch. */
export interface Hours {
  readonly intradayStart: number
  readonly intradayEnd: number
}

/** What the times depend on. A schedule is a cron expression; null: the usual one. */
export interface ScheduledAccount {
  readonly id: string
  readonly daily_schedule: string | null
  readonly intraday_schedule: string | null
}

const minute = 60_000

/**
 * Longest delay of a usual firing. Unit: milliseconds. Reason: the accounts of all customers must not dial the banks in
 * the same second; still "about 08:00", and well before the next hour.
 */
const usualJitter: Readonly<Record<ScheduledReason, number>> = { daily: 15 * minute, intraday: 10 * minute }

/** Longest delay of a firing that the account chose. Unit: milliseconds. Reason: the chosen minute stays. */
const chosenJitter = minute

/** The usual schedule. Source: interface document 2 §8. */
export const usualSchedule = (reason: ScheduledReason, { intradayEnd, intradayStart }: Hours): string =>
  reason === "daily" ? "0 8 * * *" : `0 ${intradayStart}-${intradayEnd} * * *`

/** Times of an account. A chosen schedule that cannot be read counts as none. */
export const timesOf = (account: ScheduledAccount, reason: ScheduledReason, hours: Hours): FetchTimes => {
  const chosen = reason === "daily" ? account.daily_schedule : account.intraday_schedule
  const read = chosen === null ? undefined : Result.getOrUndefined(parseSchedule(chosen))
  return read === undefined
    ? {
        schedule: Result.getOrThrow(parseSchedule(usualSchedule(reason, hours))),
        jitter: jitter(account.id, reason, usualJitter[reason])
      }
    : { schedule: read, jitter: jitter(account.id, reason, chosenJitter) }
}

/** The same delay for an account and reason in every process and after every restart, below `longest`. */
export const jitter = (accountId: string, reason: string, longest: number): number => {
  const hash = createHash("sha256").update(`${accountId} ${reason}`).digest().readUInt32BE(0)
  return Math.floor((hash / 2 ** 32) * longest)
}

/**
 * The firing to carry out now: the latest one that is due, unless it was handled. Of several missed firings only the
 * latest is made up. `handled`: latest firing that was handled, or the creation of the account.
 */
export const dueFiring = ({ jitter, schedule }: FetchTimes, handled: number, now: number): number | undefined => {
  const latest = latestFiring(schedule, now - jitter)
  return latest !== undefined && latest > handled ? latest : undefined
}

/** When the next firing takes place; undefined: never. */
export const nextTime = ({ jitter, schedule }: FetchTimes, now: number): number | undefined => {
  const next = nextFiring(schedule, now - jitter)
  return next === undefined ? undefined : next + jitter
}
