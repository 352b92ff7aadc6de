/** A trained wake word as an ONNX file: [B, 16, 96] in, [B, 1] out, with word and extractor in its metadata. */
import { Effect, Result } from "effect"
import type { Runtime } from "./Runtime.ts"
import type { HeadWeights } from "./Head.ts"
import { badModel, type WakeWordError } from "./WakeWordError.ts"

export interface HeadFacts {
  readonly word: string
  readonly language: string
  /** Id of the extractor. */
  readonly extractor: string
  readonly threshold: number
}

/** A loaded head. */
export interface Head extends HeadFacts {
  /** `inputs`: `count` times 16 x 96 values. Result: `count` scores from 0 to 1. */
  readonly score: (inputs: Float32Array, count: number) => Promise<Float32Array>
  readonly close: () => Promise<void>
}

/** Deterministic: the same weights and facts give the same bytes. */
export const writeHead = (weights: HeadWeights, facts: HeadFacts): Uint8Array => {
  void [weights, facts]
  throw new Error("not implemented")
}

/** Reads the metadata that `writeHead` wrote, without a runtime. Fails with `BadModel`. */
export const readHeadFacts = (model: Uint8Array): Result.Result<HeadFacts, WakeWordError> =>
  Result.fail(badModel(`not implemented ${model.length}`))

/** Loads a head. Fails with `OtherExtractor` when the model was made with another extractor. */
export const openHead = (
  runtime: Runtime,
  model: Uint8Array,
  extractorId: string
): Effect.Effect<Head, WakeWordError> =>
  Effect.fail(badModel(`not implemented ${runtime.name} ${model.length} ${extractorId}`))
