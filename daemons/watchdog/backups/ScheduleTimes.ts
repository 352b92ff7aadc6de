/**
 * Times of backups, as cron expressions of five fields in a time zone. node-cron parses the expressions; the firings
 * are computed here, because node-cron computes none of the past. As in crontab(5), a day matches one of the two fields
 * of days when neither of them begins with `*`, else both. Pure.
 *
 * A firing is an instant. Each local time of the expression fires once a day: a time that the clock repeats in autumn
 * fires at its first occurrence, and a time that the clock skips in spring fires as many minutes after the change as it
 * lies after the skipped hour's begin (RFC 5545 §3.3.5 does the same).
 */
import { parse, validateDetailed } from "node-cron"
import { Result } from "effect"

/** Longest expression. Unit: characters. Reason: a list of all 60 minutes has 170. */
export const maxCron = 200

/** Shortest time between two firings. Unit: minutes. Reason: a backup reads all data, so more often is a mistake. */
export const shortestPause = 15

/** How far firings are searched. Unit: days. Reason: 29 February can be eight years away. */
const horizon = 8 * 366

export interface Schedule {
  /** Times of a day, ascending. Unit: minutes since midnight. */
  readonly times: ReadonlyArray<number>
  readonly daysOfMonth: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  /** 0 is Sunday. */
  readonly daysOfWeek: ReadonlySet<number>
  /** Whether one of the two fields of days suffices. */
  readonly eitherDay: boolean
}

const minute = 60_000
const day = 24 * 60 * minute

/** The schedule of a cron expression, or a sentence about what is wrong. */
export const parseSchedule = (text: string): Result.Result<Schedule, string> => {
  if (text.length > maxCron) return Result.fail(`must have at most ${maxCron} characters`)
  const fields = text.trim().split(/\s+/)
  if (fields.length !== 5) return Result.fail("must have the five fields of a cron expression, such as 0 3 * * *")
  const { errors, valid } = validateDetailed(fields.join(" "))
  if (!valid) return Result.fail(`is no cron expression: the field ${errors[0]?.field ?? "expression"} is wrong`)
  const parsed = parse(fields.join(" "))
  const [daysOfMonth, daysOfWeek] = [numbers(parsed.dayOfMonth), numbers(parsed.dayOfWeek)]
  if (daysOfMonth === undefined || daysOfWeek === undefined)
    return Result.fail("must name days by numbers or weekdays; L, W and # are not supported")
  const times = parsed.hour.flatMap((hour) => parsed.minute.map((one) => hour * 60 + one)).toSorted((a, b) => a - b)
  const eitherDay = !fields[2]!.startsWith("*") && !fields[4]!.startsWith("*")
  const schedule = { times, daysOfMonth, months: new Set(parsed.month), daysOfWeek, eitherDay }
  // The last pause leads over midnight.
  const pauses = times.map((time, at) => (times[at + 1] ?? times[0]! + 24 * 60) - time)
  if (Math.min(...pauses) < shortestPause) return Result.fail(`must leave ${shortestPause} minutes between two backups`)
  if (nextFiring(schedule, 0, "UTC") === undefined) return Result.fail("must fire within eight years")
  return Result.succeed(schedule)
}

/** What is wrong with an expression; undefined: nothing. */
export const scheduleProblem = (text: string): string | undefined => {
  const parsed = parseSchedule(text)
  return Result.isFailure(parsed) ? parsed.failure : undefined
}

/** Latest firing at or before `at`; undefined: none. Unit: milliseconds since 1970. */
export const latestFiring = (schedule: Schedule, at: number, zone: string): number | undefined =>
  search(schedule, at, -1, zone, (firing) => firing <= at)

/** First firing after `after`; undefined: none. Unit: milliseconds since 1970. */
export const nextFiring = (schedule: Schedule, after: number, zone: string): number | undefined =>
  search(schedule, after, 1, zone, (firing) => firing > after)

/**
 * The firing to carry out now: the latest one that is due and was not handled. Of several missed firings only the
 * latest is made up. `handled`: latest firing that was handled, or the creation of the schedule. A clock that was set
 * back carries out nothing again, because handled firings are stored.
 */
const dueFiring = (schedule: Schedule, handled: number, now: number, zone: string): number | undefined => {
  const latest = latestFiring(schedule, now, zone)
  return latest !== undefined && latest > handled ? latest : undefined
}

/**
 * How far a stored firing may lie in the future. Unit: milliseconds. Reason: a clock that was an hour or a day ahead
 * must not fire twice. A firing beyond it comes from a clock that was wrong by far, and would stop all backups.
 */
export const longestAhead = 25 * 60 * minute

/** The handled firing to count with: the stored one, unless a clock that was wrong by far wrote it. */
const handledUntil = (stored: number, now: number): number => (stored > now + longestAhead ? now : stored)

export interface Decision {
  /** The firing to carry out now; undefined: none. */
  readonly firing: number | undefined
  /** The handled firing to store; the same as before when nothing changed. */
  readonly stored: number
}

/** Decides about one look at the clock. `stored`: latest firing that was handled, or the creation of the schedule. */
export const decide = (schedule: Schedule, stored: number, now: number, zone: string): Decision => {
  const handled = handledUntil(stored, now)
  const firing = dueFiring(schedule, handled, now, zone)
  return { firing, stored: firing ?? handled }
}

/** How long after its time a backup must have succeeded. Unit: milliseconds. Reason: large backups take hours. */
export const grace = 6 * 60 * minute

/** Whether no backup succeeded since the latest firing that is `grace` old. `since`: the schedule was changed last. */
export const isMissed = (
  schedule: Schedule,
  { since, success }: { readonly since: number; readonly success: number },
  now: number,
  zone: string
): boolean => {
  const firing = latestFiring(schedule, now - grace, zone)
  return firing !== undefined && firing > since && success < firing
}

const search = (
  { daysOfMonth, daysOfWeek, eitherDay, months, times }: Schedule,
  from: number,
  step: 1 | -1,
  zone: string,
  fits: (firing: number) => boolean
): number | undefined => {
  const ordered = step === 1 ? times : times.toReversed()
  // Local midnight, expressed as if the local clock was UTC. A day of margin: a shifted firing can cross midnight.
  const first = Math.floor((from + offsetAt(from, zone)) / day) * day - step * day
  for (let distance = 0; distance <= horizon; distance++) {
    const midnight = first + step * distance * day
    const date = new Date(midnight)
    if (!months.has(date.getUTCMonth() + 1)) continue
    const [ofMonth, ofWeek] = [daysOfMonth.has(date.getUTCDate()), daysOfWeek.has(date.getUTCDay())]
    if (!(eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek)) continue
    for (const time of ordered) {
      const firing = instantOf(midnight + time * minute, zone)
      if (fits(firing)) return firing
    }
  }
  return undefined
}

/** The instant at which the local clock of the zone shows `local` first. */
export const instantOf = (local: number, zone: string): number => {
  // The offset changes at most once within two days around a change.
  const before = offsetAt(local - day, zone)
  const after = offsetAt(local + day, zone)
  const early = local - Math.max(before, after)
  const late = local - Math.min(before, after)
  if (early + offsetAt(early, zone) === local) return early
  if (late + offsetAt(late, zone) === local) return late
  // The local time is skipped: it is counted with the offset from before the change.
  return local - before
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Difference between the local clock and UTC. Unit: milliseconds. */
export const offsetAt = (instant: number, zone: string): number => {
  if (zone === "UTC") return 0
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric"
    })
    formats.set(zone, format)
  }
  const parts: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(instant)) parts[type] = Number(value)
  const local = Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute, parts.second)
  return local - Math.floor(instant / 1000) * 1000
}

const numbers = (values: ReadonlyArray<number | string>): ReadonlySet<number> | undefined => {
  const found = values.filter((value) => typeof value === "number")
  return found.length === values.length ? new Set(found) : undefined
}
