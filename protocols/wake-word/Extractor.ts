/** One interface for the two feature extractors. A head works only with the extractor that it was trained with. */
import { makeRandom } from "./Random.ts"
import { contextSamples, melBands, stepFrames, stepSamples, windowFrames, windowValues } from "./Shape.ts"

export interface Extractor {
  /** `signalbox-` or `openwakeword-` and the first 16 hexadecimal digits of the SHA-256 of its files. */
  readonly id: string
  /** Embedding of quiet audio, 96 values: fills the feature buffer of a new stream. */
  readonly idle: Float32Array
  /**
   * Mel frames of steps. `samples`: `count` times 1,760 samples (480 of context, then the step), as Int16 values.
   * Result: `count` times 8 frames of 32 values.
   */
  readonly mel: (samples: Int16Array, count: number) => Promise<Float32Array>
  /**
   * Embeddings of windows in one run. `windows`: `count` times 76 x 32 values, which the call may change. Result:
   * `count` times 96 values.
   */
  readonly embed: (windows: Float32Array, count: number) => Promise<Float32Array>
  readonly close: () => Promise<void>
}

/** Seed and highest value of the noise that `idle` is computed from. Reason: a quiet room, about -72 dB. */
const idleSeed = 1
const idleNoise = 16

/** Adds `idle` to an extractor: the embedding of low noise. */
export const withIdle = async (extractor: Omit<Extractor, "idle">): Promise<Extractor> => {
  const random = makeRandom(idleSeed)
  const size = contextSamples + stepSamples
  const steps = Math.ceil(windowFrames / stepFrames)
  const samples = Int16Array.from({ length: steps * size }, () => Math.round(random.between(-idleNoise, idleNoise)))
  const frames = await extractor.mel(samples, steps)
  const window = frames.slice(steps * stepFrames * melBands - windowValues)
  return { ...extractor, idle: await extractor.embed(window, 1) }
}
