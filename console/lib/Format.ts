/** Formats times, numbers and sizes in the page's language, and times in the account's time zone. */
import { language } from "./Language.ts"
import { clockDay, clockText, zone } from "./TimeZone.ts"

const tags = { de: "de-DE", en: "en-GB" } as const

/** Locale of the page's formats. */
export const formatTag = (): string => tags[language.value]

const formats = new Map<string, Intl.DateTimeFormat>()

/** Format of times in the page's language and, unless the options name one, in the account's time zone. */
export const dateTime = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const zoned = { timeZone: zone.value, ...options }
  const key = `${language.value} ${JSON.stringify(zoned)}`
  const found = formats.get(key) ?? new Intl.DateTimeFormat(formatTag(), zoned)
  formats.set(key, found)
  return found
}

/** Date and time with seconds. `at`: ISO 8601, or epoch milliseconds. */
export const moment = (at: string | number): string =>
  dateTime({ dateStyle: "medium", timeStyle: "medium" }).format(new Date(at))

/** Date and time with seconds in UTC, for tooltips beside local times. `at`: ISO 8601, or epoch milliseconds. */
export const utcMoment = (at: string | number): string =>
  `${dateTime({ dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" }).format(new Date(at))} UTC`

/** Local time and UTC, for the tooltip of a time that is shown shortened. */
export const bothMoments = (at: string | number): string => `${moment(at)} · ${utcMoment(at)}`

/** Time of day with seconds, for lists that show the date elsewhere. `at`: ISO 8601, or epoch milliseconds. */
export const timeOfDay = (at: string | number): string => dateTime({ timeStyle: "medium" }).format(new Date(at))

/** Only the time for today, else date and time. */
export const shortMoment = (at: string | number): string => {
  const form = { day: "2-digit", month: "2-digit", year: "2-digit", hour: "2-digit", minute: "2-digit" } as const
  return clockDay(at) === clockDay(Date.now()) ? timeOfDay(at) : dateTime(form).format(new Date(at))
}

/** Longest time axis whose labels are times of day. Unit: milliseconds. */
const longestOfTimes = 2 * 86_400_000

/** Label of a time axis of the length `span`: the time, or the date at midnight and on long axes. */
export const axisMoment = (at: number, span: number): string =>
  dateTime(
    span > longestOfTimes || clockText(at).slice(11, 16) === "00:00"
      ? { day: "2-digit", month: "2-digit" }
      : { hour: "2-digit", minute: "2-digit" }
  ).format(new Date(at))

/** A calendar day, such as "26 Nov 2026". `on`: ISO 8601 without a time. */
export const calendarDay = (on: string): string =>
  dateTime({ dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${on}T00:00:00Z`))

/** Day and month, such as "26/11". `on`: ISO 8601 without a time. */
export const dayOfYear = (on: string): string =>
  dateTime({ day: "2-digit", month: "2-digit", timeZone: "UTC" }).format(new Date(`${on}T00:00:00Z`))

export const number = (value: number): string => new Intl.NumberFormat(formatTag()).format(value)

/** An amount such as "€250.50", with all digits of the decimal text. `currency`: ISO 4217. */
export const money = (amount: string, currency: string): string =>
  new Intl.NumberFormat(formatTag(), { style: "currency", currency }).format(amount as `${number}`)

/** An amount for the axis of a chart, such as "€12K". `currency`: ISO 4217. */
export const shortMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat(formatTag(), {
    style: "currency",
    currency,
    notation: "compact",
    maximumFractionDigits: 1,
    minimumFractionDigits: 0
  }).format(amount)

/** A share such as "83%". `share`: 0 to 1. */
export const percent = (share: number): string =>
  new Intl.NumberFormat(formatTag(), { style: "percent", maximumFractionDigits: 0 }).format(share)

const units: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1]
]

/** "3 minutes ago", relative to `now` (epoch milliseconds). */
export const ago = (at: string | number, now: number = Date.now()): string => {
  const seconds = Math.round((new Date(at).getTime() - now) / 1000)
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? units[3]!
  return new Intl.RelativeTimeFormat(formatTag(), { numeric: "auto" }).format(Math.trunc(seconds / length), unit)
}

/** A duration such as "1.2 s" or "3 min". `milliseconds`: the duration. */
export const duration = (milliseconds: number): string => {
  const show = (value: number, unit: string, digits: number) =>
    new Intl.NumberFormat(formatTag(), {
      style: "unit",
      unit,
      unitDisplay: "short",
      maximumFractionDigits: digits
    }).format(value)
  if (milliseconds < 1000) return show(Math.round(milliseconds), "millisecond", 0)
  if (milliseconds < 60_000) return show(milliseconds / 1000, "second", 1)
  return milliseconds < 3_600_000 ? show(milliseconds / 60_000, "minute", 1) : show(milliseconds / 3_600_000, "hour", 1)
}

const longUnits = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000]
] as const

/** A long duration in whole units, such as "12 days" or "1 hour". `milliseconds`: the duration. */
export const longDuration = (milliseconds: number): string => {
  const [unit, length] = longUnits.find(([, length]) => milliseconds >= length) ?? longUnits[3]
  return new Intl.NumberFormat(formatTag(), { style: "unit", unit, unitDisplay: "long" }).format(
    Math.floor(milliseconds / length)
  )
}

/** A duration as phones show it: "1:05". */
export const clock = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const two = (value: number) => String(value).padStart(2, "0")
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours === 0 ? `${minutes}:${two(seconds % 60)}` : `${hours}:${two(minutes)}:${two(seconds % 60)}`
}

/** A size such as "1.4 MB". `size`: bytes. */
export const bytes = (size: number): string => {
  const [unit, length] =
    (
      [
        ["gigabyte", 1e9],
        ["megabyte", 1e6],
        ["kilobyte", 1e3]
      ] as const
    ).find(([, length]) => size >= length) ?? (["byte", 1] as const)
  return new Intl.NumberFormat(formatTag(), {
    style: "unit",
    unit,
    unitDisplay: unit === "byte" ? "long" : "short",
    maximumFractionDigits: 1
  }).format(size / length)
}
