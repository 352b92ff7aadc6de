/** Embeddings of whole clips, in batches; the same numbers as a stream that starts with the clip. */
import type { Extractor } from "./Extractor.ts"
import {
  contextSamples,
  embeddingSize,
  headInputs,
  headSteps,
  melBands,
  stepFrames,
  stepSamples,
  windowFrames,
  windowValues
} from "./Shape.ts"

/** Embeddings of consecutive steps, row by row with 96 values. */
export type Rows = Float32Array

/** Steps of one batch. Reason: activations of more steps do not fit in the cache; 256 take 12 % longer. */
const batchSteps = 16

/** One row for each complete step of 1,280 samples. Rejects when `signal` aborts, between two batches. */
export const clipRows = async (extractor: Extractor, clip: Int16Array, signal?: AbortSignal): Promise<Rows> => {
  const steps = Math.floor(clip.length / stepSamples)
  const rows = new Float32Array(steps * embeddingSize)
  const frames = new Float32Array((windowFrames + steps * stepFrames) * melBands)
  frames.fill(1, 0, windowValues)
  for (let from = 0; from < steps; from += batchSteps) {
    signal?.throwIfAborted()
    const count = Math.min(batchSteps, steps - from)
    frames.set(await extractor.mel(stepsOf(clip, from, count), count), windowValues + from * stepFrames * melBands)
    const windows = new Float32Array(count * windowValues)
    for (let step = 0; step < count; step++) {
      const at = (from + step + 1) * stepFrames * melBands
      windows.set(frames.subarray(at, at + windowValues), step * windowValues)
    }
    rows.set(await extractor.embed(windows, count), from * embeddingSize)
  }
  return rows
}

/** Each step with its 480 samples of context; zeros before the clip. */
const stepsOf = (clip: Int16Array, from: number, count: number): Int16Array => {
  const size = contextSamples + stepSamples
  const samples = new Int16Array(count * size)
  for (let step = 0; step < count; step++) {
    const start = (from + step) * stepSamples - contextSamples
    const missing = Math.max(0, -start)
    samples.set(clip.subarray(start + missing, start + size), step * size + missing)
  }
  return samples
}

/** Inputs of a head: windows of 16 consecutive rows that begin at `starts` (row numbers). */
export interface Windows {
  readonly rows: Rows
  readonly starts: Uint32Array
}

/** All windows of 16 consecutive rows. `lengths`: rows of each clip in `rows`; no window spans two clips. */
export const allWindows = (rows: Rows, lengths: ReadonlyArray<number>): Windows =>
  windowsAt(rows, lengths, (length) => Array.from({ length: Math.max(0, length - headSteps + 1) }, (_, at) => at))

/** The windows of each clip that `choose` names by the row at which they begin in the clip. */
export const windowsAt = (
  rows: Rows,
  lengths: ReadonlyArray<number>,
  choose: (length: number) => ReadonlyArray<number>
): Windows => {
  const starts: Array<number> = []
  let clip = 0
  for (const length of lengths) {
    for (const at of choose(length)) starts.push(clip + at)
    clip += length
  }
  if (clip * embeddingSize > rows.length) throw new RangeError("the clips have more rows than given")
  return { rows, starts: Uint32Array.from(starts) }
}

/** Rows before the first one of a stream, as `makeStream` has them. Gives a clip the scores of a stream. */
export const withIdleRows = (rows: Rows, idle: Float32Array): Rows => {
  const all = new Float32Array(headInputs - embeddingSize + rows.length)
  for (let at = 0; at < headInputs - embeddingSize; at += embeddingSize) all.set(idle, at)
  all.set(rows, headInputs - embeddingSize)
  return all
}
