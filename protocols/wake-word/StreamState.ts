/**
 * State of one audio connection: odd bytes, samples that wait for their step, mel frames, embeddings and the pause
 * after a wake. Pure; at most 100 KB a stream. `Steps.ts` computes the steps of many streams together.
 */
import {
  contextSamples,
  embeddingSize,
  headInputs,
  headSteps,
  melBands,
  stepFrames,
  stepSamples,
  windowValues
} from "./Shape.ts"

/**
 * Maximum number of steps that may wait. Reason: a stream that is 2 s late is told so; nothing grows. Unit: steps of 80
 * ms.
 */
export const maxWaitingSteps = 25

/**
 * Steps after which the mel frames and embeddings that are still needed move to the start of their buffers. Reason:
 * less is copied than with a move at each step.
 */
const slide = 8

export interface StreamState {
  /** From `from` on 480 samples of context, then the waiting samples. */
  readonly samples: Int16Array
  /** Position of the context. */
  from: number
  /** End of the waiting samples. */
  filled: number
  /** First byte of a sample whose second byte has not come, or -1. */
  oddByte: number
  /** From `melFrom` on the last 76 mel frames, oldest first. */
  readonly mel: Float32Array
  melFrom: number
  /** From `featuresFrom` on the last 16 embeddings, oldest first. */
  readonly features: Float32Array
  featuresFrom: number
  /** Steps computed since the start or the last reset. */
  steps: number
  /** Value of `steps` from which a wake is reported again. */
  awakeFrom: number
}

/** `idle`: from the extractor. `maxWaiting`: steps that may wait. */
export const makeStream = (idle: Float32Array, maxWaiting = maxWaitingSteps): StreamState => {
  const stream = {
    samples: new Int16Array(contextSamples + maxWaiting * stepSamples),
    from: 0,
    filled: contextSamples,
    oddByte: -1,
    mel: new Float32Array(windowValues + slide * stepValues),
    melFrom: 0,
    features: new Float32Array(headInputs + slide * embeddingSize),
    featuresFrom: 0,
    steps: 0,
    awakeFrom: 0
  }
  resetStream(stream, idle)
  return stream
}

/** Empties all buffers. Needed when the extractor changes; not when the model changes. */
export const resetStream = (stream: StreamState, idle: Float32Array): void => {
  stream.samples.fill(0)
  stream.from = 0
  stream.filled = contextSamples
  stream.oddByte = -1
  stream.mel.fill(1)
  stream.melFrom = 0
  stream.featuresFrom = 0
  for (let step = 0; step < headSteps; step++) stream.features.set(idle, step * embeddingSize)
  stream.steps = 0
  stream.awakeFrom = 0
}

/** Complete steps that wait. */
export const waitingSteps = ({ filled, from }: StreamState): number =>
  Math.floor((filled - from - contextSamples) / stepSamples)

/**
 * Appends bytes in any chunking. Returns the number of bytes taken: fewer than given when `maxWaitingSteps` steps wait;
 * the stream is then too late.
 */
export const pushBytes = (stream: StreamState, bytes: Uint8Array): number => {
  const { samples } = stream
  if (stream.from > 0 && stream.filled + bytes.length / 2 + 1 > samples.length) moveToStart(stream)
  let at = 0
  if (stream.oddByte >= 0 && bytes.length > 0 && stream.filled < samples.length) {
    samples[stream.filled++] = stream.oddByte | (bytes[at++]! << 8)
    stream.oddByte = -1
  }
  const count = Math.min((bytes.length - at) >> 1, samples.length - stream.filled)
  if (littleEndian && (bytes.byteOffset + at) % 2 === 0) {
    samples.set(new Int16Array(bytes.buffer, bytes.byteOffset + at, count), stream.filled)
    at += 2 * count
  } else
    for (let index = 0; index < count; index++, at += 2)
      samples[stream.filled + index] = bytes[at]! | (bytes[at + 1]! << 8)
  stream.filled += count
  if (stream.oddByte < 0 && at === bytes.length - 1) stream.oddByte = bytes[at++]!
  return at
}

/** Whether this machine stores numbers as the audio has them. */
const littleEndian = new Uint8Array(Int16Array.of(1).buffer)[0] === 1

const moveToStart = (stream: StreamState): void => {
  stream.samples.copyWithin(0, stream.from, stream.filled)
  stream.filled -= stream.from
  stream.from = 0
}

/** Copies context and samples of the first waiting step: 1,760 samples. */
export const copyStep = ({ from, samples }: StreamState, target: Int16Array, at: number): void =>
  target.set(samples.subarray(from, from + contextSamples + stepSamples), at)

/** Drops the first waiting step; its last 480 samples become the context. */
export const dropStep = (stream: StreamState): void => {
  stream.from += stepSamples
}

/** Values of the mel frames of a step. */
const stepValues = stepFrames * melBands

/** Appends the 8 mel frames of a step; the oldest 8 leave. */
export const pushFrames = (stream: StreamState, frames: Float32Array): void => {
  stream.melFrom = append(stream.mel, stream.melFrom, windowValues, frames)
}

/** Appends the embedding of a step; the oldest one leaves. */
export const pushEmbedding = (stream: StreamState, embedding: Float32Array): void => {
  stream.featuresFrom = append(stream.features, stream.featuresFrom, headInputs, embedding)
}

/** Copies the last 76 mel frames. */
export const copyWindow = ({ mel, melFrom }: StreamState, target: Float32Array, at: number): void =>
  target.set(mel.subarray(melFrom, melFrom + windowValues), at)

/** Copies the last 16 embeddings. */
export const copyFeatures = ({ features, featuresFrom }: StreamState, target: Float32Array, at: number): void =>
  target.set(features.subarray(featuresFrom, featuresFrom + headInputs), at)

/**
 * Appends `added` to the last `length` values of a stream, which begin at `from` in `values`. As many of the oldest
 * are dropped. Returns the new beginning. Values move to the start of the array only when it is full.
 */
const append = (values: Float32Array, from: number, length: number, added: Float32Array): number => {
  let start = from + added.length
  if (start + length > values.length) {
    values.copyWithin(0, start, from + length)
    start = 0
  }
  values.set(added, start + length - added.length)
  return start
}
