/**
 * Formats times, days and percentages in the reader's language. In UTC, like the days of the bars; a script of the
 * page (LocalTimes.ts) shows moments in the reader's own time zone. Pure.
 */
import { h } from "preact"
import { remembering } from "#core/lane/Remembering.ts"
import { formatLocaleOf } from "#core/words/ChooseLanguage.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"

/** Cached, because creating a format costs as much as a hundred uses. */
const formats = (locale: string) => ({
  moment: new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: "UTC",
    timeZoneName: "short"
  }),
  day: new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" }),
  date: new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }),
  // Truncated, so that only a full share becomes 100. Formats a unit, because a share times 100 is inexact.
  percent: new Intl.NumberFormat(locale, {
    style: "unit",
    unit: "percent",
    maximumFractionDigits: 2,
    roundingMode: "trunc"
  }),
  milliseconds: new Intl.NumberFormat(locale, { style: "unit", unit: "millisecond", maximumFractionDigits: 0 }),
  seconds: new Intl.NumberFormat(locale, { style: "unit", unit: "second", maximumFractionDigits: 1 }),
  list: new Intl.ListFormat(locale, { type: "conjunction" }),
  duration: ["day", "hour", "minute"].map(
    (unit) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: unit === "day" ? "long" : "short" })
  )
})

/** Maximum number of cached languages. Reason: the most that may be offered (localization, `maxLanguages`). */
const maxLanguages = 50

const of = remembering(maxLanguages, (language: LanguageCode) => formats(formatLocaleOf(language)))

/** Such as `22 Nov 2026, 11:05 UTC`. */
export const moment = (at: string, language: LanguageCode) =>
  h("time", { datetime: new Date(at).toISOString() }, of(language).moment.format(Date.parse(at)))

/** Range of two times; an equal day appears once. */
export const span = (from: string, until: string, language: LanguageCode) =>
  h(
    "span",
    { "data-from": new Date(from).toISOString(), "data-until": new Date(until).toISOString() },
    of(language).moment.formatRange(Date.parse(from), Date.parse(until)).replace(" Uhr UTC", " UTC")
  )

/** `2026-11-22` as `22 November 2026`. */
export const date = (day: string, language: LanguageCode) =>
  h("time", { datetime: day }, of(language).date.format(Date.parse(day)))

/** Maximum number of cached ranges. Reason: formatting takes 50 µs, and every snapshot repeats the same few hundred. */
const maxRanges = 20_000

const range = (language: LanguageCode) =>
  remembering(maxRanges, (both: string): string =>
    of(language).day.formatRange(Date.parse(both.slice(0, 10)), Date.parse(both.slice(10)))
  )
const ranges = remembering(maxLanguages, range)

/** Such as `1–20 Nov`; a single day when both are equal. */
export const days = (from: string, until: string, language: LanguageCode): string => ranges(language)(from + until)

/** `share`: 0 to 100. */
export const percent = (share: number, language: LanguageCode): string => of(language).percent.format(share)

/** Such as `340 ms`, and `1.3 sec` from one second on. */
export const milliseconds = (length: number, language: LanguageCode): string =>
  length < 1_000 ? of(language).milliseconds.format(length) : of(language).seconds.format(length / 1_000)

export const list = (names: ReadonlyArray<string>, language: LanguageCode): string => of(language).list.format(names)

/** Such as `2 days 3 hr`: the two largest units, at least one minute. `length` in milliseconds. */
export const duration = (length: number, language: LanguageCode): string => {
  const minutes = Math.max(1, Math.round(length / 60_000))
  const parts = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60]
  const first = parts.findIndex((part) => part > 0)
  return parts
    .map((part, at) => (part > 0 && at < first + 2 ? of(language).duration[at]!.format(part) : ""))
    .filter((part) => part !== "")
    .join(" ")
}
