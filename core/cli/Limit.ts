import { Flag } from "effect/cli"

/** Flag `--limit`: the maximum number of items a list shows. */
export const limit = Flag.Int("limit").pipe(
  Flag.withDescription("Maximum number of entries, newest first"),
  Flag.filter(
    (limit) => limit >= 1 && limit <= 1000,
    () => "must be a number from 1 to 1000"
  ),
  Flag.withDefault(50)
)
