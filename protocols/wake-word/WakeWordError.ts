import { Schema } from "effect"

/** Reason why audio or a model cannot be used. A retry does not help, except for `RuntimeMissing` after an install. */
export const WakeWordReason = Schema.TaggedUnion({
  /** The bytes are no WAV file of an accepted format. `why` is a sentence part and contains nothing of the file. */
  BadWav: { why: Schema.String },
  /** A bound is exceeded. `limit` is the name of its constant. */
  TooLarge: { limit: Schema.String },
  /** The file is no model of the expected shape. */
  BadModel: { why: Schema.String },
  /** The checksum of a file differs from the expected one. */
  BadChecksum: { file: Schema.String },
  /** The model was made with the extractor `made`, not with `present`. */
  OtherExtractor: { made: Schema.String, present: Schema.String },
  /** Neither onnxruntime-node nor onnxruntime-web can be loaded. */
  RuntimeMissing: { why: Schema.String },
  /** The stored state of a training does not fit its data and settings. */
  BadCheckpoint: { why: Schema.String }
})
export type WakeWordReason = typeof WakeWordReason.Type

/** The only error class of this folder. Contains no audio. */
export class WakeWordError extends Schema.TaggedError<WakeWordError>()("WakeWordError", { reason: WakeWordReason }) {
  readonly retryable = false
  override get message(): string {
    return sentence(this.reason)
  }
}

const sentence = WakeWordReason.match({
  BadWav: ({ why }) => `the WAV file cannot be used: ${why}`,
  TooLarge: ({ limit }) => `the input exceeds ${limit}`,
  BadModel: ({ why }) => `the model file cannot be used: ${why}`,
  BadChecksum: ({ file }) => `the checksum of ${file} differs from the expected one`,
  OtherExtractor: ({ made, present }) =>
    `the model was made with the extractor ${made}, not with ${present}: train the word again`,
  RuntimeMissing: ({ why }) => `no ONNX runtime can be loaded: ${why}`,
  BadCheckpoint: ({ why }) => `the training cannot be continued: ${why}`
})

export const failure = (reason: WakeWordReason) => new WakeWordError({ reason })
export const badWav = (why: string) => failure({ _tag: "BadWav", why })
export const badModel = (why: string) => failure({ _tag: "BadModel", why })
export const tooLarge = (limit: string) => failure({ _tag: "TooLarge", limit })
