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
import {
  copyFeatures,
  copyStep,
  copyWindow,
  dropStep,
  pushEmbedding,
  pushFrames,
  type StreamState,
  waitingSteps
} from "./StreamState.ts"

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

/** Inputs of one batch. A caller whose calls do not overlap keeps them, so that no call allocates them. */
export interface StepBuffers {
  readonly samples: Int16Array
  readonly windows: Float32Array
  readonly inputs: Float32Array
}

/** Samples of a step with its context. */
const jobSamples = contextSamples + stepSamples

/** `most`: most streams of a call. */
export const makeBuffers = (most: number): StepBuffers => ({
  samples: new Int16Array(most * jobSamples),
  windows: new Float32Array(most * windowValues),
  inputs: new Float32Array(most * headInputs)
})

/**
 * Takes one step from each stream and returns the results in the order of the jobs. Streams must not be used by two
 * calls at once; `pushBytes` is allowed meanwhile. After a rejection the steps are lost and the streams must be reset.
 */
export const runSteps = async (
  extractor: Extractor,
  jobs: ReadonlyArray<StepJob>,
  buffers = makeBuffers(jobs.length)
): Promise<ReadonlyArray<StepResult>> => {
  const samples = buffers.samples.subarray(0, jobs.length * jobSamples)
  for (const [index, { stream }] of jobs.entries()) {
    if (waitingSteps(stream) < 1) throw new RangeError("a stream has no waiting step")
    copyStep(stream, samples, index * jobSamples)
    dropStep(stream)
  }
  const frames = await extractor.mel(samples, jobs.length)
  const windows = buffers.windows.subarray(0, jobs.length * windowValues)
  for (const [index, { stream }] of jobs.entries()) {
    pushFrames(stream, slice(frames, index, stepFrames * melBands))
    copyWindow(stream, windows, index * windowValues)
  }
  const embeddings = await extractor.embed(windows, jobs.length)
  for (const [index, { stream }] of jobs.entries()) pushEmbedding(stream, slice(embeddings, index, embeddingSize))
  const scores = await scoresOf(jobs, buffers)
  return jobs.map((job, index) => decide(job, scores[index]!))
}

/** One run for each head that occurs. */
const scoresOf = async (jobs: ReadonlyArray<StepJob>, buffers: StepBuffers): Promise<Float32Array> => {
  const byHead = new Map<Head, Array<number>>()
  for (const [index, { head }] of jobs.entries()) {
    if (head === undefined) continue
    const indexes = byHead.get(head)
    if (indexes === undefined) byHead.set(head, [index])
    else indexes.push(index)
  }
  const scores = new Float32Array(jobs.length)
  for (const [head, indexes] of byHead) {
    const inputs = buffers.inputs.subarray(0, indexes.length * headInputs)
    for (const [at, index] of indexes.entries()) copyFeatures(jobs[index]!.stream, inputs, at * headInputs)
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
