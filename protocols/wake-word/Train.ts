/** Training of a head: Adam, growing weight of negatives, only hard samples, early stop. Deterministic by seed. Pure. */
import { Result } from "effect"
import type { Windows } from "./Features.ts"
import type { HeadWeights } from "./Head.ts"
import { failure, type WakeWordError } from "./WakeWordError.ts"

export interface TrainingSet {
  readonly positives: Windows
  /** Near phrases and parts of the word. */
  readonly adversarial: Windows
  /** Other speech and noise. */
  readonly negatives: Windows
  /** For the early stop; other voices than in the sets above, and not the held-out ones. */
  readonly checkPositives: Windows
  readonly checkNegatives: Windows
}

export interface TrainingSettings {
  readonly seed: number
  /** Units of the two hidden layers. */
  readonly hidden: number
  /** Most steps of the optimiser. */
  readonly steps: number
}

export interface Trainer {
  /** Runs up to `count` steps; synchronous. Call it in slices and look for a cancellation in between. */
  readonly run: (count: number) => void
  readonly done: () => boolean
  /** 0 to 1. */
  readonly progress: () => number
  readonly loss: () => number
  /** All state, for `makeTrainer` with the same set and settings. */
  readonly checkpoint: () => Uint8Array
  /** The best weights so far. */
  readonly weights: () => HeadWeights
}

/** `from`: a checkpoint. The result of a continued training equals that of one without a break. */
export const makeTrainer = (
  set: TrainingSet,
  settings: TrainingSettings,
  from?: Uint8Array
): Result.Result<Trainer, WakeWordError> => {
  void [set, settings, from]
  return Result.fail(failure({ _tag: "BadCheckpoint", why: "not implemented" }))
}
