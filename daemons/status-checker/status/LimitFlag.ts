import { Flag } from "effect/cli"

/** Flag for the length of a list. */
export const limit = Flag.Int("limit").pipe(
  Flag.withDescription("At most so many, newest first"),
  Flag.filter(
    (limit) => limit >= 1 && limit <= 1000,
    () => "write a number from 1 to 1000"
  ),
  Flag.withDefault(50)
)
