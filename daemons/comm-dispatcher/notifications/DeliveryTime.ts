/**
 * Decides when mails, messages and pushes are sent: at once, at the end of the quiet hours, or with a digest. Pure.
 * Days and hours are those of the reader's time zone, including changes of summer time.
 */
import { Cron, DateTime, Schema } from "effect"
import type { NotificationSeverity } from "#core/contracts/Notifications.ts"
import { TimeZone } from "#core/words/TimeZone.ts"

/** Time of day, `HH:MM`. */
export const ClockTime = Schema.String.check(Schema.isPattern(/^([01]\d|2[0-3]):[0-5]\d$/))

/** Quiet hours from `from` to `to`. `to` is on the next day unless it is later than `from`. */
export const QuietHours = Schema.Struct({
  from: ClockTime,
  to: ClockTime,
  /** Days on which the quiet hours begin; 1 is Monday (ISO 8601). */
  days: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 }))).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(7)
  ),
  /** Whether notifications of severity `error` are sent during the quiet hours. */
  errors_pass: Schema.Boolean
}).check(
  Schema.makeFilter(({ days, from, to }) =>
    from === to && new Set(days).size === 7 ? { path: ["to"], issue: "leaves no time for deliveries" } : undefined
  )
)
export type QuietHours = typeof QuietHours.Type

/** Delivery settings of a user. */
export const TellingSettings = Schema.Struct({
  zone: TimeZone,
  /** Null: no quiet hours. */
  quiet: Schema.NullOr(QuietHours),
  /** Whether mails are sent one by one, or collected for an hour or a day. */
  digest: Schema.Literals(["off", "hourly", "daily"]),
  /** Time of a daily digest. */
  digest_at: ClockTime
})
export type TellingSettings = typeof TellingSettings.Type

/** Defaults without a choice; the time zone of the account, if it has one, replaces `zone`. */
export const usualSettings: TellingSettings = { zone: "Europe/Berlin", quiet: null, digest: "off", digest_at: "08:00" }

/** Minutes since midnight. */
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const local = (settings: TellingSettings, at: number): DateTime.Zoned =>
  DateTime.makeZonedUnsafe(at, { timeZone: settings.zone })

/**
 * First time after `at` when the zone's clock shows `time`. Unit: epoch milliseconds. At the end of summer time a clock
 * time may occur twice; a clock time that summer time skips falls an hour later.
 */
export const nextAt = (settings: TellingSettings, time: string, at: number): number => {
  const daily = Cron.parseUnsafe(`${time.slice(3)} ${time.slice(0, 2)} * * *`, settings.zone, { onDstOverlap: "both" })
  return Cron.next(daily, at).getTime()
}

/** Maximum number of consecutive quiet hours that are examined. Reason: one per day of a week, plus one. */
const mostInARow = 8

/**
 * End of the quiet hours at `at`, including quiet hours that follow directly; undefined outside quiet hours. Unit:
 * epoch milliseconds.
 */
export const quietUntil = (settings: TellingSettings, at: number): number | undefined => {
  let end = endOf(settings, at)
  for (let more = 1; end !== undefined && more < mostInARow; more++) {
    const next = endOf(settings, end)
    if (next === undefined) break
    end = next
  }
  return end
}

/** End of the quiet hours at `at`, without quiet hours that follow directly. */
const endOf = (settings: TellingSettings, at: number): number | undefined => {
  const { quiet } = settings
  if (quiet === null) return undefined
  const { hour, minute, weekDay } = DateTime.toParts(local(settings, at))
  const now = hour * 60 + minute
  // DateTime counts Sunday as 0, ISO 8601 as 7.
  const today = weekDay === 0 ? 7 : weekDay
  const yesterday = today === 1 ? 7 : today - 1
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)]
  const begunToday = quiet.days.includes(today) && now >= from && (to <= from || now < to)
  const begunYesterday = to <= from && quiet.days.includes(yesterday) && now < to
  return begunToday || begunYesterday ? nextAt(settings, quiet.to, at) : undefined
}

/** Time of the digest that collects notifications created at `at`. Unit: epoch milliseconds. */
const digestAfter = (settings: TellingSettings, at: number): number => {
  if (settings.digest === "daily") return nextAt(settings, settings.digest_at, at)
  // Uses the zone's current offset, because the repeated hour at the end of summer time has two ends.
  const distance = DateTime.zonedOffset(local(settings, at))
  return (Math.floor((at + distance) / hour) + 1) * hour - distance
}

/** An hour. Unit: milliseconds. */
const hour = 3_600_000

/** End of the quiet hours that delay this severity; undefined: no delay. Unit: epoch milliseconds. */
export const quietFor = (settings: TellingSettings, severity: NotificationSeverity, at: number): number | undefined =>
  severity === "error" && settings.quiet?.errors_pass === true ? undefined : quietUntil(settings, at)

/**
 * Time of sending; undefined: at once. Unit: epoch milliseconds. A digest in quiet hours is sent at their end. Errors
 * are never part of a digest.
 */
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
