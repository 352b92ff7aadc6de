/**
 * Measurements of a model, as its validation stores them. They hold for the speech that they were measured on and claim
 * nothing more.
 */
import { Schema } from "effect"

/** A point of the curve: what the model does at this threshold. */
export const CurvePoint = Schema.Struct({
  threshold: Schema.Number,
  /** False accepts an hour, after debounce. */
  false_accepts_per_hour: Schema.Number,
  /** Share of utterances that were not found. 0 to 1. */
  miss_rate: Schema.Number
})

/** In ascending order of the threshold. */
export const Curve = Schema.Array(CurvePoint)

export const Metrics = Schema.Struct({
  /** At the model's threshold; null: not measured. */
  false_accepts_per_hour: Schema.NullOr(Schema.Number),
  miss_rate: Schema.NullOr(Schema.Number),
  /** Held-out speech without the word. Unit: hours. */
  negative_hours: Schema.Number,
  false_accepts: Schema.Int,
  /** Utterances of the word by held-out voices. */
  utterances: Schema.Int,
  misses: Schema.Int,
  /** Held-out voices: neither training nor choice of the threshold used them. */
  voices: Schema.Array(Schema.String),
  /** Recordings of people among the utterances of training; 0: synthetic voices only. */
  uploads: Schema.Int,
  /** What the figures do not cover, in English, for people. */
  notes: Schema.Array(Schema.String)
}).annotate({ identifier: "WakeWordMetrics" })
export type Metrics = typeof Metrics.Type
