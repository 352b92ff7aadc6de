import { Flag } from "effect/cli"

/** Largest value of `--limit`. Unit: entries. */
const maximum = 1000

/** Flag `--limit`: the maximum number of entries that a list shows. `fallback`: its value when it is absent. */
export const limitOf = (fallback: number, description = "Maximum number of entries, newest first") =>
  Flag.Int("limit").pipe(
    Flag.withDescription(description),
    Flag.filter(
      (limit) => limit >= 1 && limit <= maximum,
      () => `a number from 1 to ${maximum}`
    ),
    Flag.withDefault(fallback)
  )

/** Flag `--limit` with the usual default. */
export const limit = limitOf(50)
