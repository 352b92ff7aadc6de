/** Rules for names, language tags and time zones of users and tenants. Pure. */
import { Schema } from "effect"
import { canonicalTimeZone, timeZoneProblem } from "#core/words/TimeZone.ts"

/** Longest name. Unit: UTF-16 units. Reason: fits on one line of a list. */
export const maxName = 200

/** Longest language tag. Unit: characters. Source: RFC 5646 §4.4.1. */
export const maxLocale = 35

/** Describes the fault of a name of a user or tenant; undefined when it is valid. */
export const nameProblem = (name: string): string | undefined => {
  if (name.length > maxName) return `must have at most ${maxName} characters`
  if (name.trim() === "") return "must not be empty"
  return /\p{Cc}/u.test(name) || !name.isWellFormed() ? "must not contain control characters" : undefined
}

/** Name of a user, tenant or service token. */
export const Name = Schema.String.pipe(Schema.check(Schema.makeFilter(nameProblem)))

/**
 * Describes the fault of a language tag; undefined when it is well-formed. Does not check whether the language exists.
 * Source: RFC 5646 §2.1.
 */
export const localeProblem = (locale: string): string | undefined =>
  locale.length <= maxLocale && /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(locale)
    ? undefined
    : "must be a language tag such as de or en-GB"

export const Locale = Schema.String.pipe(Schema.check(Schema.makeFilter(localeProblem)))

/**
 * Describes the fault of the time zone of an account; undefined when it is valid. Offsets such as `+01:00` are refused,
 * because they know no summer time, and because `zoneinfo` of tokens is a name of the IANA database (OpenID Connect).
 */
export const accountTimeZoneProblem = (zone: string): string | undefined =>
  timeZoneProblem(/^[A-Za-z]/.test(zone) ? zone : "")

/** Time zone of an account; null: as the reader's device. */
export const AccountTimeZone = Schema.NullOr(
  Schema.String.pipe(Schema.check(Schema.makeFilter(accountTimeZoneProblem)))
)

/** The name to store for a valid time zone, which an alias becomes. */
export const canonicalOrNull = (zone: string | null): string | null =>
  zone === null ? null : (canonicalTimeZone(zone) ?? null)
