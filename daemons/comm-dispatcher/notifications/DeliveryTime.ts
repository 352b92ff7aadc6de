/**
 * When somebody is told by a channel that reaches them wherever they are: at once, or at the end of their quiet hours, or with their
 * digest. Pure; days and hours are those of the reader's time zone, also where summer time begins or ends.
 */
import { DateTime, Option, Schema } from "effect"
import type { NotificationSeverity } from "#core/contracts/Notifications.ts"

/** `HH:MM` of the day. */
export const ClockTime = Schema.String.check(Schema.isPattern(/^([01]\d|2[0-3]):[0-5]\d$/))

/** A zone that this machine knows (IANA): `Europe/Berlin`. */
export const Zone = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(64),
  Schema.makeFilter((name: string) =>
    Option.isSome(DateTime.zoneMakeNamed(name)) ? undefined : "must be a time zone such as Europe/Berlin"
  )
)

/** Nobody is disturbed from `from` to `to`, which is on the next day when it is not later. */
export const QuietHours = Schema.Struct({
  from: ClockTime,
  to: ClockTime,
  /** Days on which they begin; 1 is Monday (ISO 8601). */
  days: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 }))).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(7)
  ),
  /** What has severity `error` comes all the same. */
  errors_pass: Schema.Boolean
}).check(
  Schema.makeFilter(({ days, from, to }) =>
    from === to && new Set(days).size === 7
      ? { path: ["to"], issue: "leaves no time in which anybody could be told" }
      : undefined
  )
)
export type QuietHours = typeof QuietHours.Type

/** How somebody wants to be told, beside what by which channel. */
export const TellingSettings = Schema.Struct({
  zone: Zone,
  /** Null: none. */
  quiet: Schema.NullOr(QuietHours),
  /** Mails one by one, or all of an hour or a day in one. */
  digest: Schema.Literals(["off", "hourly", "daily"]),
  /** When a daily digest goes. */
  digest_at: ClockTime
})
export type TellingSettings = typeof TellingSettings.Type

/** Where nothing was chosen. */
export const usualSettings: TellingSettings = { zone: "Europe/Berlin", quiet: null, digest: "off", digest_at: "08:00" }

/** Minutes of the day. */
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const local = (settings: TellingSettings, at: number): DateTime.Zoned =>
  DateTime.makeZonedUnsafe(at, { timeZone: settings.zone })

/**
 * The first time after `at` that the clock of the zone shows this. Unit: epoch milliseconds. Where summer time ends it may be shown twice;
 * what is left out where it begins is an hour on.
 */
export const nextAt = (settings: TellingSettings, time: string, at: number): number => {
  const start = local(settings, at)
  const hours = Number(time.slice(0, 2))
  const minutes = Number(time.slice(3))
  const on = (days: number) =>
    (["compatible", "later"] as const).map((disambiguation) => {
      const { day, month, year } = DateTime.toParts(DateTime.add(DateTime.setParts(start, { hour: 12 }), { days }))
      return DateTime.toEpochMillis(
        DateTime.makeZonedUnsafe(
          { year, month, day, hour: hours, minute: minutes, second: 0, millisecond: 0 },
          { timeZone: settings.zone, adjustForTimeZone: true, disambiguation }
        )
      )
    })
  return Math.min(...[0, 1, 2].flatMap(on).filter((found) => found > at))
}

/** How many quiet hours one after the other are looked at. Reason: each day of a week, and one more. */
const mostInARow = 8

/** The end of the quiet hours that `at` lies in, and of those that follow at once; undefined outside of them. Unit: epoch milliseconds. */
export const quietUntil = (settings: TellingSettings, at: number): number | undefined => {
  let end = endOf(settings, at)
  for (let more = 1; end !== undefined && more < mostInARow; more++) {
    const next = endOf(settings, end)
    if (next === undefined) break
    end = next
  }
  return end
}

/** Of the one that `at` lies in. */
const endOf = (settings: TellingSettings, at: number): number | undefined => {
  const { quiet } = settings
  if (quiet === null) return undefined
  const { hour, minute, weekDay } = DateTime.toParts(local(settings, at))
  const now = hour * 60 + minute
  // Sunday is 0 there, 7 here.
  const today = weekDay === 0 ? 7 : weekDay
  const yesterday = today === 1 ? 7 : today - 1
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)]
  const begunToday = quiet.days.includes(today) && now >= from && (to <= from || now < to)
  const begunYesterday = to <= from && quiet.days.includes(yesterday) && now < to
  return begunToday || begunYesterday ? nextAt(settings, quiet.to, at) : undefined
}

/** When a digest goes that gathers what comes at `at`. Unit: epoch milliseconds. */
const digestAfter = (settings: TellingSettings, at: number): number => {
  if (settings.digest === "daily") return nextAt(settings, settings.digest_at, at)
  // By the zone's distance now: the hour that comes twice has two ends.
  const distance = DateTime.zonedOffset(local(settings, at))
  return (Math.floor((at + distance) / hour) + 1) * hour - distance
}

/** Unit: milliseconds. */
const hour = 3_600_000

/** The end of the quiet hours that hold back what has this severity; undefined: nothing does. Unit: epoch milliseconds. */
export const quietFor = (settings: TellingSettings, severity: NotificationSeverity, at: number): number | undefined =>
  severity === "error" && settings.quiet?.errors_pass === true ? undefined : quietUntil(settings, at)

/** Undefined: at once. Unit: epoch milliseconds. A digest that would fall into quiet hours goes at their end; an error is in no digest. */
export const laterAt = (
  settings: TellingSettings,
  channel: "browser" | "email" | "messenger",
  severity: NotificationSeverity,
  at: number
): number | undefined => {
  if (channel !== "email" || settings.digest === "off" || severity === "error") return quietFor(settings, severity, at)
  const gathered = digestAfter(settings, at)
  return quietFor(settings, severity, gathered) ?? gathered
}
