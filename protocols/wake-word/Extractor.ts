/** One interface for the two feature extractors. A head works only with the extractor that it was trained with. */
import { Effect } from "effect"
import type { Runtime } from "./Runtime.ts"
import { badModel, type WakeWordError } from "./WakeWordError.ts"

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
  /** Embeddings of windows in one run. `windows`: `count` times 76 x 32 values. Result: `count` times 96 values. */
  readonly embed: (windows: Float32Array, count: number) => Promise<Float32Array>
  readonly close: () => Promise<void>
}

/** The two files of openWakeWord that an operator supplies. */
export interface OpenWakeWordFiles {
  /** `melspectrogram.onnx` */
  readonly mel: Uint8Array
  /** `embedding_model.onnx` */
  readonly embedding: Uint8Array
  /** Expected SHA-256, hexadecimal, where the operator states it. */
  readonly melSha256?: string
  readonly embeddingSha256?: string
}

/** Our own extractor; needs no other file than the one in this folder. */
export const openOwn = (runtime: Runtime): Effect.Effect<Extractor, WakeWordError> =>
  Effect.fail(badModel(`not implemented ${runtime.name}`))

/** The extractor of openWakeWord. Fails with `BadChecksum`, or with `BadModel` when a file has another shape. */
export const openOpenWakeWord = (runtime: Runtime, files: OpenWakeWordFiles): Effect.Effect<Extractor, WakeWordError> =>
  Effect.fail(badModel(`not implemented ${runtime.name} ${files.mel.length}`))
