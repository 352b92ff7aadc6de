/** Finds a row by the beginning of its UUID, as people type it. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { exitUsage, fail } from "./Ending.ts"

/**
 * Minimum length of a beginning. Unit: hexadecimal digits. Reason: four digits have 65,536 values, so they are usually
 * unique among a few hundred rows; an ambiguous beginning is refused.
 */
const shortest = 4

/** Digits of a UUID. Source: RFC 9562 §4. */
const length = 32

const whole = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** When several ids begin with the typed text, the error message lists at most this number of them. */
const maxShown = 5

/** The lowest and the highest UUID with this beginning; undefined when the text begins no UUID. Pure. */
export const rangeOf = (typed: string): readonly [string, string] | undefined => {
  const text = typed.toLowerCase()
  const digits = text.replaceAll("-", "")
  const isBeginning =
    /^[0-9a-f]*$/.test(digits) && digits.length >= shortest && digits.length <= length && written(digits) === text
  return isBeginning ? [written(digits.padEnd(length, "0")), written(digits.padEnd(length, "f"))] : undefined
}

/** Inserts the hyphens of a UUID between the given digits. There is no hyphen at the end. */
const written = (digits: string): string =>
  [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)]
    .filter((part) => part !== "")
    .join("-")

/** The whole id of the one row of `table` whose id begins with the text. `what`: name of the thing, for messages. */
export const fullId = Effect.fnUntraced(function* (table: string, what: string, typed: string) {
  if (whole.test(typed.toLowerCase())) return typed.toLowerCase()
  const range = rangeOf(typed.replace(/-$/, ""))
  if (range === undefined)
    return yield* fail(`${typed} is no ${what} id; give the id, or at least its first ${shortest} digits`, exitUsage)
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql<{ id: string }>`select id::text as id from ${sql(table)}
    where id between ${range[0]}::uuid and ${range[1]}::uuid order by id limit ${maxShown + 1}`
  const [first, second] = found
  if (first === undefined) return yield* fail(`no ${what} has an id that begins with ${typed}`)
  if (second === undefined) return first.id
  const shown = found.slice(0, maxShown).map(({ id }) => id)
  return yield* fail(
    `several ids begin with ${typed}: ${shown.join(", ")}${found.length > maxShown ? ", …" : ""}; type more of it`,
    exitUsage
  )
})
