/** Fields that our files share. Pure. */
import { Result, Schema } from "effect"

/** Unit: characters. Reason: an id stands in addresses of the interface. */
export const maxId = 64

/** Unit: characters. Reason: a name is a line on the page. */
export const maxName = 200

/** Unit: characters. Reason: a paragraph or two of an incident, also in a mail. */
export const maxMessage = 10_000

/** Unit: characters. Source: what browsers and proxies take of an address. */
export const maxUrl = 2_000

/** Control characters, line separators, marks that turn the direction of writing, and halves of characters. */
const unfit = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

const lineProblem =
  (maximum: number) =>
  (text: string): string | undefined =>
    text.trim() === ""
      ? "must not be empty"
      : text.length > maximum
        ? `must be at most ${maximum} characters long`
        : !text.isWellFormed() || unfit.test(text)
          ? "must hold no control characters and no line breaks: type it anew"
          : undefined

/** A text of one line. */
export const line = (maximum: number) => Schema.String.check(Schema.makeFilter(lineProblem(maximum)))

/** A text of several lines. */
export const paragraphs = (maximum: number) =>
  Schema.String.check(
    Schema.makeFilter((text: string) =>
      text.length > maximum
        ? `must be at most ${maximum} characters long`
        : !text.isWellFormed() || unfit.test(text.replace(/[\r\n\t]/g, " "))
          ? "must hold no control characters but line breaks: type it anew"
          : undefined
    )
  )

/**
 * URL-safe: it begins with a letter or digit, so that it is neither `..` nor a name that programs keep for themselves.
 */
export const isId = (text: string): boolean => text.length <= maxId && /^[A-Za-z0-9][A-Za-z0-9._~-]*$/.test(text)

export const Id = Schema.String.check(
  Schema.makeFilter((text: string) =>
    isId(text)
      ? undefined
      : `must be 1 to ${maxId} characters of A-Z, a-z, 0-9, "-", "_", "." and "~", the first a letter or digit`
  )
)

/** May be left out or null. */
export const optional = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const iso =
  /^(\d{4}-\d\d-\d\d)[Tt ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)(?:[.,](\d{1,9}))?(Z|z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/

/**
 * An ISO 8601 moment with its offset, in UTC to the millisecond (finer parts are cut off); a failure says what to
 * write.
 */
export const utc = (text: string): Result.Result<string, string> => {
  const parts = iso.exec(text)
  if (parts === null) {
    return Result.fail(
      "must be a moment with its offset from UTC, such as 2026-01-31T08:00:00Z or 2026-01-31T09:00:00+01:00"
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
    ? Result.fail("is no day of the calendar since 1970")
    : Result.succeed(new Date(moment).toISOString())
}

/** Whether `2026-02-30` is a day: `Date` takes it for the second of March. */
export const isDate = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const moment = Date.parse(`${text}T00:00:00.000Z`)
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text)
}

/** A moment as it is written; `utcOf` brings it to UTC. */
export const Moment = Schema.String.check(
  Schema.makeFilter((text: string) =>
    Result.match(utc(text), { onFailure: (problem) => problem, onSuccess: () => undefined })
  )
)

/** Of a text that `Moment` let pass. */
export const utcOf = (text: string): string => Result.getOrThrow(utc(text))
