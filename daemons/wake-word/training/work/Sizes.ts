/** How much speech the two sizes of a training use. */
import type { Size } from "../Phases.ts"

export interface SizePlan {
  /** Spoken utterances of the word for training. */
  readonly positives: number
  /** Other speech. Unit: hours. */
  readonly trainHours: number
  readonly heldOutHours: number
  /** Augmented copies of each utterance. */
  readonly variants: number
  /** Units of the hidden layers. */
  readonly hidden: number
  /** Most steps of the optimiser. */
  readonly steps: number
}

export const plans: Readonly<Record<Size, SizePlan>> = {
  // Takes seconds; its figures fail the gate, because they come from minutes of speech.
  small: { positives: 40, trainHours: 0.02, heldOutHours: 0.01, variants: 3, hidden: 16, steps: 300 },
  // Three hours are the least over which one false accept in two hours can be shown.
  full: { positives: 600, trainHours: 1.5, heldOutHours: 3.2, variants: 4, hidden: 32, steps: 3_000 }
}
