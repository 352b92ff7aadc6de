/** Audio that repeats, a network of the usual size, and the steps whose scores cross its threshold. */
import { clipRows, withIdleRows } from "#protocols/wake-word/Features.ts"
import { type HeadWeights, scoreHead } from "#protocols/wake-word/Head.ts"
import { writeHead } from "#protocols/wake-word/HeadModel.ts"
import {
  debounceSteps,
  embeddingSize,
  headInputs,
  sampleRate,
  silentSteps,
  stepSamples
} from "#protocols/wake-word/Shape.ts"
import { defaultTraining } from "#protocols/wake-word/TrainHead.ts"
import { openEngine, randomHead, sounds } from "../../protocols/wake-word/Engine.ts"

/** Time after which the audio repeats. Unit: seconds; a whole number of steps. */
const period = 4

/** Number of periods whose scores are computed. The scores repeat from the second period on. */
const periods = 3

/**
 * Minimum distance between the highest score of a period and all other scores. Reason: the daemon's scores differ from
 * ours in the last digits.
 */
const distance = 0.01

/** Maximum number of random networks to try. */
const tries = 100

export interface Reference {
  /** One period. Unit: samples. */
  readonly audio: Int16Array
  readonly weights: HeadWeights
  readonly file: Uint8Array
  readonly extractorId: string
  readonly threshold: number
  /** Steps of `periods` periods, counted from 0, that are wakes. */
  readonly wakes: ReadonlyArray<number>
}

/** A head with random weights of which one step of each period crosses the threshold. */
export const makeReference = async (): Promise<Reference> => {
  const { extractor } = await openEngine()
  try {
    const audio = sounds(period, 3)
    const long = new Int16Array(periods * audio.length)
    for (let at = 0; at < long.length; at += audio.length) long.set(audio, at)
    const rows = withIdleRows(await clipRows(extractor, long), extractor.idle)
    const steps = long.length / stepSamples
    for (let seed = 1; seed <= tries; seed++) {
      const weights = randomHead(seed, defaultTraining.hidden, defaultTraining.networks)
      const scores = Float64Array.from({ length: steps }, (_, step) =>
        scoreHead(weights, rows.subarray(step * embeddingSize, step * embeddingSize + headInputs))
      )
      const [highest, next] = scores
        .slice(steps / periods, (2 * steps) / periods)
        .sort()
        .reverse()
      const threshold = (highest! + next!) / 2
      if (highest! - next! < distance || scores.some((score) => Math.abs(score - threshold) < distance / 4)) continue
      const wakes = wakeSteps(scores, threshold)
      const file = writeHead(weights, { word: "bench", language: "en", extractor: extractor.id, threshold })
      return { audio, weights, file, extractorId: extractor.id, threshold, wakes }
    }
    throw new Error(`no network of ${tries} has a single highest score`)
  } finally {
    await extractor.close()
  }
}

const wakeSteps = (scores: Float64Array, threshold: number): ReadonlyArray<number> => {
  const wakes: Array<number> = []
  for (let step = silentSteps; step < scores.length; step++) {
    if (scores[step]! < threshold) continue
    wakes.push(step)
    step += debounceSteps - 1
  }
  return wakes
}

/** Number of streams that can be served in real time at this rate of steps. */
export const streamsOf = (stepsPerSecond: number): number => (stepsPerSecond * stepSamples) / sampleRate
