/** Parses a point in time as an operator writes it: a timestamp, or how long ago. */
import { Effect, Option, Result } from "effect"
import { exitUsage, fail } from "./Ending.ts"
import { parseLifetime } from "./Lifetime.ts"

/**
 * Parses `2030-01-31T12:00:00Z`, or an age such as `2h` or `7d`. The result has the flag's name as its key, and is
 * empty when the flag is not given.
 */
export const moment = Effect.fnUntraced(function* <const Name extends string>(
  name: Name,
  given: Option.Option<string>
) {
  type Found = { readonly [K in Name]?: Date }
  if (Option.isNone(given)) return {} as Found
  const ago = parseLifetime(given.value)
  if (Result.isSuccess(ago)) return { [name]: new Date(Date.now() - ago.success) } as Found
  const at = /^\d{4}-\d\d-\d\d/.test(given.value) ? new Date(given.value) : new Date(Number.NaN)
  return Number.isNaN(at.getTime())
    ? yield* fail(`--${name}: must be a time such as 2030-01-31T12:00:00Z, or an age such as 2h or 7d`, exitUsage)
    : ({ [name]: at } as Found)
})

/** A time in UTC, cut after `length` characters. `at`: a date, or ISO 8601 in UTC. */
const shown = (at: Date | string, length: number): string =>
  `${(typeof at === "string" ? at : at.toISOString()).slice(0, length).replace("T", " ")}Z`

/** A time to the minute, in UTC, as all commands print it: `2026-01-31 08:15Z`. `at`: a date, or ISO 8601 in UTC. */
export const minute = (at: Date | string): string => shown(at, 16)

/** A time to the second, in UTC, for lists of what happened: `2026-01-31 08:15:30Z`. `at`: as for `minute`. */
export const second = (at: Date | string): string => shown(at, 19)
