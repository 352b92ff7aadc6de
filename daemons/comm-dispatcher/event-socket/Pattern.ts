import { Schema } from "effect"

/** Longest pattern. Unit: characters. Source: names of events have at most 50. */
const maxPattern = 100

/** Which events are asked for: `*`, an exact type, or a prefix such as `mail.*`. */
export const Pattern = Schema.String.check(
  Schema.isMaxLength(maxPattern),
  Schema.isPattern(/^(\*|[a-z0-9_]+(\.[a-z0-9_]+)*(\.\*)?)$/)
)
