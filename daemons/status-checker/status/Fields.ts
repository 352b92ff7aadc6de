/** Schemas of fields that the files and the management requests share. Pure. */
import { Result, Schema } from "effect"

/** Longest id of a component. Unit: characters. Reason: ids are part of addresses. */
export const maxId = 64

/** Longest name or title. Unit: characters. Reason: one line on the page. */
export const maxName = 200

/** Longest message. Unit: characters. Reason: one or two paragraphs, in mails too. */
export const maxMessage = 10_000

/** Longest URL. Unit: characters. Source: limits of common browsers and proxies. */
export const maxUrl = 2_000

/** Control characters, line separators and characters that change the writing direction. */
const unfit = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

const lineProblem =
  (maximum: number) =>
  (text: string): string | undefined =>
    text.trim() === ""
      ? "must not be empty"
      : text.length > maximum
        ? `must be at most ${maximum} characters long`
        : !text.isWellFormed() || unfit.test(text)
          ? "must not contain control characters or line breaks: type it again"
          : undefined

/** Text of one line. */
export const line = (maximum: number) => Schema.String.check(Schema.makeFilter(lineProblem(maximum)))

/** Text of several lines. */
export const paragraphs = (maximum: number) =>
  Schema.String.check(
    Schema.makeFilter((text: string) =>
      text.length > maximum
        ? `must be at most ${maximum} characters long`
        : !text.isWellFormed() || unfit.test(text.replace(/[\r\n\t]/g, " "))
          ? "must not contain control characters other than line breaks: type it again"
          : undefined
    )
  )

/** URL-safe id. The first character is a letter or digit, which excludes `..` and names with a special meaning. */
export const isId = (text: string): boolean => text.length <= maxId && /^[A-Za-z0-9][A-Za-z0-9._~-]*$/.test(text)

export const Id = Schema.String.check(
  Schema.makeFilter((text: string) =>
    isId(text)
      ? undefined
      : `must be 1 to ${maxId} characters of A-Z, a-z, 0-9, "-", "_", "." and "~", the first a letter or digit`
  )
)

/** Field that may be absent or null. */
export const optional = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** Date, time of day, fraction of a second, and offset. */
const iso = new RegExp(
  [
    /^(\d{4}-\d\d-\d\d)[Tt ]/,
    /((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)/,
    /(?:[.,](\d{1,9}))?/,
    /(Z|z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/
  ]
    .map(({ source }) => source)
    .join("")
)

/** Converts an ISO 8601 timestamp with an offset to UTC, truncated to milliseconds. A failure says what to write. */
export const utc = (text: string): Result.Result<string, string> => {
  const parts = iso.exec(text)
  if (parts === null) {
    return Result.fail(
      "must be a time with its offset from UTC, such as 2026-01-31T08:00:00Z or 2026-01-31T09:00:00+01:00"
    )
  }
  const [, date, time, fraction = "", offset] = parts as unknown as [string, string, string, string | undefined, string]
  const zone =
    offset.length === 3
      ? `${offset}:00`
      : offset.length === 5
        ? `${offset.slice(0, 3)}:${offset.slice(3)}`
        : offset.toUpperCase()
  const milliseconds = `${fraction}000`.slice(0, 3)
  const moment = Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}.${milliseconds}${zone}`)
  return Number.isNaN(moment) || !isDate(date!) || moment < 0
    ? Result.fail("is not a calendar day since 1970")
    : Result.succeed(new Date(moment).toISOString())
}

/** Whether the text is a date of the calendar. `Date` alone would accept `2026-02-30` as 2 March. */
export const isDate = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const moment = Date.parse(`${text}T00:00:00.000Z`)
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text)
}

/** Timestamp as the file writes it; `utcOf` converts it to UTC. */
export const Moment = Schema.String.check(
  Schema.makeFilter((text: string) =>
    Result.match(utc(text), { onFailure: (problem) => problem, onSuccess: () => undefined })
  )
)

/** UTC form of a text that `Moment` has accepted. */
export const utcOf = (text: string): string => Result.getOrThrow(utc(text))
