/**
 * What is spoken for a training: positives, near phrases, other speech; and what is held out. Pure and deterministic by
 * seed. Voices, sentences and vocabulary of the held-out part occur in no other part.
 */
import type { Utterance } from "./Voices.ts"

/** Languages with sentences of their own. Other languages get their negatives from `others`. */
export type Language = "de" | "en"

/** `check`: for the early stop and the threshold. `heldOut`: only for the report. */
export type Part = "train" | "check" | "heldOut"

export interface PlannedUtterance extends Utterance {
  readonly part: Part
  readonly kind: "positive" | "adversarial" | "negative"
}

export interface PlanOptions {
  readonly word: string
  readonly language: Language
  readonly seed: number
  readonly voices: ReadonlyArray<string>
  readonly variants: ReadonlyArray<string>
  /** Positive utterances of the train part. Small in tests. */
  readonly positives: number
  /** Speech of the train part and of the held-out part. Unit: hours. */
  readonly trainHours: number
  readonly heldOutHours: number
}

export interface Plan {
  readonly utterances: ReadonlyArray<PlannedUtterance>
  /** Voices of the held-out part, for the report. */
  readonly heldOutVoices: ReadonlyArray<string>
}

export const planTraining = (options: PlanOptions): Plan => {
  void options
  throw new Error("not implemented")
}

/** Phrases that sound like the word, and parts of it. At most `count`; deterministic. */
export const nearPhrases = (word: string, language: Language, count: number): ReadonlyArray<string> => {
  void [word, language, count]
  throw new Error("not implemented")
}
