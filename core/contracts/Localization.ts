/** Events of the daemon localization, addressed to the provider. */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/** Progress of a rebuild of automatic translations: its end, and at most one event a second before. */
export const LocalizationRebuildProgress = define(
  "localization.rebuild.progress",
  Schema.Struct({
    rebuild_id: Schema.String,
    /** Null: all languages. */
    locale: Schema.NullOr(Schema.String),
    state: Schema.Literals(["waiting", "running", "done", "failed", "cancelled"]),
    /** Different texts, each counted for each language. */
    total: Schema.Int,
    translated: Schema.Int,
    /** The translation was not usable, so the English text stays. */
    kept: Schema.Int,
    /** A process ended before the answer came. */
    uncertain: Schema.Int,
    problem: Schema.NullOr(Schema.String)
  })
)
