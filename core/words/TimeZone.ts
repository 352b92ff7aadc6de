/** Time zones of the IANA database, by the data of the runtime. Pure. Source of the names: RFC 9557 §4.1. */
import { Schema } from "effect"
import { formatLocaleOf } from "./ChooseLanguage.ts"
import type { LanguageCode } from "./TextMemory.ts"

/** Longest accepted name. Unit: characters. Reason: the longest name of the database has 32. */
const maxName = 64

/**
 * The name that the runtime uses for a zone or its alias, in its letter case; undefined when there is no such zone.
 * Offsets such as `+01:00` count as zones.
 */
export const canonicalTimeZone = (name: string): string | undefined => {
  if (name.length > maxName) return undefined
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Describes the fault of the name of a time zone; undefined when it is valid. */
export const timeZoneProblem = (name: string): string | undefined =>
  canonicalTimeZone(name) === undefined ? "must be a time zone such as Europe/Berlin" : undefined

/** Name of a time zone, or of an alias: `Europe/Berlin`. */
export const TimeZone = Schema.String.pipe(Schema.check(Schema.makeFilter(timeZoneProblem)))

/**
 * Date, time and name of the zone, such as "28 November 2026 at 22:15 CET". `zone`: of the reader's account; null or
 * undefined: not known, then UTC.
 */
export const momentIn = (at: Date, language: LanguageCode, zone: string | null | undefined): string =>
  new Intl.DateTimeFormat(formatLocaleOf(language), {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: zone ?? "UTC",
    timeZoneName: "short"
  }).format(at)

/**
 * Rewrites the moments in a text for a reader in `zone`. The text has them as `momentIn` writes them in UTC. `times`:
 * these moments, as ISO 8601.
 */
export const timesInZone = (
  text: string,
  times: ReadonlyArray<string>,
  language: LanguageCode,
  zone: string | null
): string =>
  zone === null
    ? text
    : times.reduce((changed, time) => {
        const at = new Date(time)
        return changed.replaceAll(momentIn(at, language, null), () => momentIn(at, language, zone))
      }, text)
