import { Schema } from "effect"

/** A time in a request: ISO 8601 with offset, as in RFC 3339 §5.6. Not before 1970, because Postgres has no year 0. */
export const Time = Schema.String.pipe(
  Schema.check(
    Schema.isMaxLength(40),
    Schema.makeFilter((text: string) => {
      const year = /^(\d{4})-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.exec(text)?.[1]
      return year !== undefined && Number(year) >= 1970 && !Number.isNaN(Date.parse(text))
        ? undefined
        : "must be a time such as 2030-01-31T12:00:00Z"
    })
  )
)
