/** Computes one step of many streams together: one embedding run for all, and one run for each head. */
import type { Extractor } from "./Extractor.ts"
import type { Head } from "./HeadModel.ts"
import {
  contextSamples,
  debounceSteps,
  embeddingSize,
  headInputs,
  melBands,
  silentSteps,
  stepFrames,
  stepSamples,
  windowValues
} from "./Shape.ts"
import { copyStep, dropStep, pushEmbedding, pushFrames, type StreamState, waitingSteps } from "./StreamState.ts"

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
 * calls at once; `pushBytes` is allowed meanwhile. After a rejection the steps are lost and the streams must be reset.
 */
export const runSteps = async (
  extractor: Extractor,
  jobs: ReadonlyArray<StepJob>
): Promise<ReadonlyArray<StepResult>> => {
  const size = contextSamples + stepSamples
  const samples = new Int16Array(jobs.length * size)
  for (const [index, { stream }] of jobs.entries()) {
    if (waitingSteps(stream) < 1) throw new RangeError("a stream has no waiting step")
    copyStep(stream, samples, index * size)
    dropStep(stream)
  }
  const frames = await extractor.mel(samples, jobs.length)
  const windows = new Float32Array(jobs.length * windowValues)
  for (const [index, { stream }] of jobs.entries()) {
    pushFrames(stream, slice(frames, index, stepFrames * melBands))
    windows.set(stream.mel, index * windowValues)
  }
  const embeddings = await extractor.embed(windows, jobs.length)
  for (const [index, { stream }] of jobs.entries()) pushEmbedding(stream, slice(embeddings, index, embeddingSize))
  const scores = await scoresOf(jobs)
  return jobs.map((job, index) => decide(job, scores[index]!))
}

/** One run for each head that occurs. */
const scoresOf = async (jobs: ReadonlyArray<StepJob>): Promise<Float32Array> => {
  const byHead = new Map<Head, Array<number>>()
  for (const [index, { head }] of jobs.entries()) {
    if (head === undefined) continue
    const indexes = byHead.get(head)
    if (indexes === undefined) byHead.set(head, [index])
    else indexes.push(index)
  }
  const scores = new Float32Array(jobs.length)
  for (const [head, indexes] of byHead) {
    const inputs = new Float32Array(indexes.length * headInputs)
    for (const [at, index] of indexes.entries()) inputs.set(jobs[index]!.stream.features, at * headInputs)
    const results = await head.score(inputs, indexes.length)
    for (const [at, index] of indexes.entries()) scores[index] = results[at]!
  }
  return scores
}

/** Counts the step and decides whether its score is a wake. */
const decide = ({ stream, threshold }: StepJob, score: number): StepResult => {
  stream.steps++
  if (stream.steps <= silentSteps) return { score: 0, wake: false }
  const wake = score >= threshold && score > 0 && stream.steps >= stream.awakeFrom
  if (wake) stream.awakeFrom = stream.steps + debounceSteps
  return { score, wake }
}

const slice = (values: Float32Array, index: number, size: number): Float32Array =>
  values.subarray(index * size, (index + 1) * size)
