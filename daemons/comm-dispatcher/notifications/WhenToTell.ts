/**
 * When somebody is told by a channel that reaches them wherever they are: at once, or at the end of their quiet hours, or with their
 * digest. Pure; days and hours are those of the reader's time zone, also where summer time begins or ends.
 */
import { DateTime, Option, Schema } from "effect"
import type { NotificationSeverity } from "#core/contracts/Notifications.ts"

/** `HH:MM` of the day. */
export const ClockTime = Schema.String.check(Schema.isPattern(/^([01]\d|2[0-3]):[0-5]\d$/))

/** A zone that this machine knows (IANA): `Europe/Berlin`. */
export const Zone = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(64), Schema.makeFilter((name: string) =>
  Option.isSome(DateTime.zoneMakeNamed(name)) ? undefined : "must be a time zone such as Europe/Berlin"))

/** Nobody is disturbed from `from` to `to`, which is on the next day when it is not later. */
export const QuietHours = Schema.Struct({
  from: ClockTime,
  to: ClockTime,
  /** Days on which they begin; 1 is Monday (ISO 8601). */
  days: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 }))).check(Schema.isMinLength(1), Schema.isMaxLength(7)),
  /** What has severity `error` comes all the same. */
  errors_pass: Schema.Boolean
})
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

const local = (settings: TellingSettings, at: number): DateTime.Zoned => DateTime.makeZonedUnsafe(at, { timeZone: settings.zone })

/** The first time after `at` that the clock of the zone shows this. Unit: epoch milliseconds. A time that summer time leaves out is the one an hour on. */
export const nextAt = (settings: TellingSettings, time: string, at: number): number => {
  const start = local(settings, at)
  const on = (days: number) => {
    const day = DateTime.add(start, { days })
    return DateTime.toEpochMillis(DateTime.setParts(day, { hour: Number(time.slice(0, 2)), minute: Number(time.slice(3)), second: 0, millisecond: 0 }))
  }
  const today = on(0)
  return today > at ? today : on(1)
}

/** The end of the quiet hours that `at` lies in; undefined outside of them. Unit: epoch milliseconds. */
export const quietUntil = (settings: TellingSettings, at: number): number | undefined => {
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
const digestAfter = (settings: TellingSettings, at: number): number =>
  settings.digest === "daily"
    ? nextAt(settings, settings.digest_at, at)
    : DateTime.toEpochMillis(DateTime.setParts(DateTime.add(local(settings, at), { hours: 1 }), { minute: 0, second: 0, millisecond: 0 }))

/** Undefined: at once. Unit: epoch milliseconds. A digest that would fall into quiet hours goes at their end; an error is in no digest. */
export const laterAt = (settings: TellingSettings, channel: "browser" | "email" | "messenger", severity: NotificationSeverity, at: number): number | undefined => {
  const passes = severity === "error" && settings.quiet?.errors_pass === true
  const quiet = (moment: number) => passes ? undefined : quietUntil(settings, moment)
  if (channel !== "email" || settings.digest === "off" || severity === "error") return quiet(at)
  const gathered = digestAfter(settings, at)
  return quiet(gathered) ?? gathered
}
