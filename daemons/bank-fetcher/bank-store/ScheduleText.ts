/**
 * Times at which an account is fetched, as cron expressions of five fields in UTC. node-cron parses the expressions;
 * the firings are computed here, because node-cron computes none of the past. As in node-cron a day has to match both
 * the day of the month and the day of the week. Pure.
 */
import { parse, validateDetailed } from "node-cron"
import { Result } from "effect"

/** Text of a schedule that never fires. */
export const never = "off"

/** Longest text. Unit: characters. Reason: a list of all 60 minutes has 170. */
export const maxScheduleText = 200

/**
 * Shortest time between two firings. Unit: minutes. Reason: banks update intraday statements hourly or less often, and
 * count the sessions of a customer.
 */
export const shortestPause = 15

/** How far firings are searched. Unit: days. Reason: 29 February can be eight years away. */
const horizon = 8 * 366

export interface Schedule {
  /** Times of a day, ascending. Unit: minutes since midnight. Empty: never. */
  readonly times: ReadonlyArray<number>
  readonly daysOfMonth: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  /** 0 is Sunday. */
  readonly daysOfWeek: ReadonlySet<number>
}

const minute = 60_000
const day = 24 * 60 * minute

/** The schedule of a text, or a sentence about what is wrong. */
export const parseSchedule = (text: string): Result.Result<Schedule, string> => {
  if (text.length > maxScheduleText) return Result.fail(`must have at most ${maxScheduleText} characters`)
  if (text.trim() === never) return Result.succeed(nothing)
  const fields = text.trim().split(/\s+/)
  if (fields.length !== 5)
    return Result.fail(`must be "${never}" or the five fields of a cron expression, such as 0 8 * * 1-5`)
  const { errors, valid } = validateDetailed(fields.join(" "))
  if (!valid) return Result.fail(`is no cron expression: the field ${errors[0]?.field ?? "expression"} is wrong`)
  const parsed = parse(fields.join(" "))
  const [daysOfMonth, daysOfWeek] = [numbers(parsed.dayOfMonth), numbers(parsed.dayOfWeek)]
  if (daysOfMonth === undefined || daysOfWeek === undefined)
    return Result.fail("must name days by numbers or weekdays; L, W and # are not supported")
  const times = parsed.hour.flatMap((hour) => parsed.minute.map((one) => hour * 60 + one)).toSorted((a, b) => a - b)
  const schedule = { times, daysOfMonth, months: new Set(parsed.month), daysOfWeek }
  // The last pause leads over midnight.
  const pauses = times.map((time, at) => (times[at + 1] ?? times[0]! + 24 * 60) - time)
  if (Math.min(...pauses) < shortestPause) return Result.fail(`must leave ${shortestPause} minutes between two fetches`)
  if (nextFiring(schedule, 0) === undefined) return Result.fail("must fire within eight years")
  return Result.succeed(schedule)
}

/** What is wrong with the text of a schedule; undefined: nothing. */
export const scheduleProblem = (text: string): string | undefined => {
  const parsed = parseSchedule(text)
  return Result.isFailure(parsed) ? parsed.failure : undefined
}

/** Latest firing at or before `at`; undefined: none. Unit: milliseconds since 1970. */
export const latestFiring = (schedule: Schedule, at: number): number | undefined =>
  search(schedule, at, -1, (firing) => firing <= at)

/** First firing after `after`; undefined: none. Unit: milliseconds since 1970. */
export const nextFiring = (schedule: Schedule, after: number): number | undefined =>
  search(schedule, after, 1, (firing) => firing > after)

const search = (
  { daysOfMonth, daysOfWeek, months, times }: Schedule,
  from: number,
  step: 1 | -1,
  fits: (firing: number) => boolean
): number | undefined => {
  if (times.length === 0) return undefined
  const ordered = step === 1 ? times : times.toReversed()
  const first = Math.floor(from / day) * day
  for (let distance = 0; distance <= horizon; distance++) {
    const midnight = first + step * distance * day
    const date = new Date(midnight)
    if (!months.has(date.getUTCMonth() + 1) || !daysOfMonth.has(date.getUTCDate())) continue
    if (!daysOfWeek.has(date.getUTCDay())) continue
    const found = ordered.find((time) => fits(midnight + time * minute))
    if (found !== undefined) return midnight + found * minute
  }
  return undefined
}

const numbers = (values: ReadonlyArray<number | string>): ReadonlySet<number> | undefined => {
  const found = values.filter((value) => typeof value === "number")
  return found.length === values.length ? new Set(found) : undefined
}

const nothing: Schedule = { times: [], daysOfMonth: new Set(), months: new Set(), daysOfWeek: new Set() }
