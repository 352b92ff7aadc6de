import { Schema } from "effect"

/** Longest pattern. Unit: characters. Source: event types have at most 50. */
const maxPattern = 100

/** Pattern of event types: `*`, an exact type, or a prefix such as `mail.*`. */
export const Pattern = Schema.String.check(
  Schema.isMaxLength(maxPattern),
  Schema.isPattern(/^(\*|[a-z0-9_]+(\.[a-z0-9_]+)*(\.\*)?)$/)
)
