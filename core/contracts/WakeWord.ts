/**
 * Events of the wake word, for workflows and user interfaces. Each is addressed to the tenant of the model. Source:
 * interface document 3 §2.3, §6.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/** A connection heard the wake word. */
export const WakeWordDetected = define(
  "wakeword.detected",
  Schema.Struct({
    /** 0 to 1. */
    score: Schema.Number,
    word: Schema.String,
    /** Id of the connection: a UUID. */
    connection: Schema.String,
    /** User whose ticket opened the connection; null: none, such as a connection without ticket. */
    user_id: Schema.NullOr(Schema.Int),
    /** Name of the model. */
    model: Schema.String,
    /** ISO 8601. */
    at: Schema.String
  })
)

/** Progress of a training: every change of its phase or state, and at most one event a second in between. */
export const WakeWordTrainingProgress = define(
  "wakeword.training.progress",
  Schema.Struct({
    job_id: Schema.String,
    word: Schema.String,
    /** Name of the model that the training makes. */
    name: Schema.String,
    state: Schema.Literals(["waiting", "running", "done", "failed", "cancelled"]),
    /** Null: not begun. */
    phase: Schema.NullOr(
      Schema.Literals(["samples_tts", "samples_upload", "augment", "features", "train", "validate", "save"])
    ),
    /** Of the phase. 0 to 1. */
    progress: Schema.Number,
    problem: Schema.NullOr(Schema.String)
  })
)

/** Another model is active, or none: `name` and `word` are null. */
export const WakeWordModelActivated = define(
  "wakeword.model.activated",
  Schema.Struct({ name: Schema.NullOr(Schema.String), word: Schema.NullOr(Schema.String) })
)
