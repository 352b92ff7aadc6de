/**
 * State of one audio connection: odd bytes, samples that wait for their step, mel frames, embeddings and the pause
 * after a wake. Pure; about 30 KB a stream. `Steps.ts` computes the steps of many streams together.
 */
import {
  contextSamples,
  embeddingSize,
  headInputs,
  headSteps,
  melBands,
  stepSamples,
  windowFrames,
  windowValues
} from "./Shape.ts"

/** Most steps that may wait. Reason: a stream that is 2 s late is told so; nothing grows. Unit: steps of 80 ms. */
export const maxWaitingSteps = 25

export interface StreamState {
  /** Context and waiting samples. */
  readonly samples: Int16Array
  /** Samples in use of `samples`, the context included. */
  filled: number
  /** First byte of a sample whose second byte has not come, or -1. */
  oddByte: number
  /** The last 76 mel frames. */
  readonly mel: Float32Array
  /** The last 16 embeddings. */
  readonly features: Float32Array
  /** Steps computed since the start or the last reset. */
  steps: number
  /** Value of `steps` from which a wake is reported again. */
  awakeFrom: number
}

/** `idle`: from the extractor. */
export const makeStream = (idle: Float32Array): StreamState => {
  const stream = {
    samples: new Int16Array(contextSamples + maxWaitingSteps * stepSamples),
    filled: contextSamples,
    oddByte: -1,
    mel: new Float32Array(windowValues),
    features: new Float32Array(headInputs),
    steps: 0,
    awakeFrom: 0
  }
  resetStream(stream, idle)
  return stream
}

/** Empties all buffers. Needed when the extractor changes; not when the model changes. */
export const resetStream = (stream: StreamState, idle: Float32Array): void => {
  stream.samples.fill(0)
  stream.filled = contextSamples
  stream.oddByte = -1
  stream.mel.fill(1)
  for (let step = 0; step < headSteps; step++) stream.features.set(idle, step * embeddingSize)
  stream.steps = 0
  stream.awakeFrom = 0
  void [melBands, windowFrames]
}

/** Complete steps that wait. */
export const waitingSteps = (stream: StreamState): number => Math.floor((stream.filled - contextSamples) / stepSamples)

/**
 * Appends bytes in any chunking. Returns the number of bytes taken: fewer than given when `maxWaitingSteps` steps wait;
 * the stream is then too late.
 */
export const pushBytes = (stream: StreamState, bytes: Uint8Array): number => {
  void [stream, bytes]
  throw new Error("not implemented")
}
