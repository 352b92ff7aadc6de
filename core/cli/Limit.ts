import { Flag } from "effect/cli"

/** Largest value of `--limit`. Unit: entries. */
const maximum = 1000

/** Value of `--limit` when it is absent. Unit: entries. */
const usual = 50

/** Flag `--limit` of every command that lists: the maximum number of entries. */
export const limit = Flag.Int("limit").pipe(
  Flag.withDescription(`Maximum number of entries, at most ${maximum}; default: ${usual}`),
  Flag.filter(
    (limit) => limit >= 1 && limit <= maximum,
    () => `a number from 1 to ${maximum}`
  ),
  Flag.withDefault(usual)
)
