/** Computes one step of many streams together: one embedding run for all, and one run for each head. */
import type { Extractor } from "./Extractor.ts"
import type { Head } from "./HeadModel.ts"
import type { StreamState } from "./StreamState.ts"

export interface StepJob {
  /** Must have at least one waiting step. A stream occurs only once in a call. */
  readonly stream: StreamState
  /** Head of the stream's tenant; undefined where no model is active: features are computed all the same. */
  readonly head: Head | undefined
  /** Threshold of the model. */
  readonly threshold: number
}

export interface StepResult {
  /** 0 to 1; 0 in the first five steps and without a head. */
  readonly score: number
  /** Whether the score reaches the threshold outside the pause of 2 s after the last wake. */
  readonly wake: boolean
}

/**
 * Takes one step from each stream and returns the results in the order of the jobs. Streams must not be used by two
 * calls at once. After a rejection the steps are lost and the streams must be reset.
 */
export const runSteps = (extractor: Extractor, jobs: ReadonlyArray<StepJob>): Promise<ReadonlyArray<StepResult>> => {
  void [extractor, jobs]
  throw new Error("not implemented")
}
