/** False accepts an hour and miss rate of scores, over thresholds. Pure. */
import { debounceSteps, silentSteps, stepSamples, sampleRate } from "./Shape.ts"

export interface CurvePoint {
  readonly threshold: number
  /** After the pause of 2 s. */
  readonly falseAcceptsPerHour: number
  /** 0 to 1; NaN without positives. */
  readonly missRate: number
}

export interface Measured {
  /** Audio that the false accepts were counted over. Unit: hours. */
  readonly hours: number
  readonly positives: number
  /** One point for each threshold of `thresholds`, rising. */
  readonly curve: ReadonlyArray<CurvePoint>
}

/**
 * 0.05 to 0.8 in steps of 0.05, to 0.9 in steps of 0.01, to 0.99 in steps of 0.005, then 0.995, 0.998, 0.999. Reason of
 * the small steps: near 0.96 a step of 0.02 can cost every fifth utterance.
 */
export const thresholds: ReadonlyArray<number> = [
  ...Array.from({ length: 16 }, (_, index) => (index + 1) / 20),
  ...Array.from({ length: 10 }, (_, index) => (81 + index) / 100),
  ...Array.from({ length: 18 }, (_, index) => (905 + 5 * index) / 1_000),
  0.995,
  0.998,
  0.999
]

/** Unit: hours. */
const stepHours = stepSamples / sampleRate / 3_600

/**
 * `negatives`: scores of consecutive steps, one array for each recording without the word. `positives`: scores of
 * consecutive steps, one array for each utterance of the word. The first five scores of an array count as 0.
 */
export const measure = (negatives: ReadonlyArray<Float32Array>, positives: ReadonlyArray<Float32Array>): Measured => {
  const hours = negatives.reduce((steps, scores) => steps + scores.length, 0) * stepHours
  const highest = positives.map((scores) =>
    scores.subarray(silentSteps).reduce((most, score) => Math.max(most, score), 0)
  )
  return {
    hours,
    positives: positives.length,
    curve: thresholds.map((threshold) => ({
      threshold,
      falseAcceptsPerHour:
        hours === 0 ? 0 : negatives.reduce((sum, scores) => sum + countWakes(scores, threshold), 0) / hours,
      missRate: highest.filter((score) => score < threshold).length / positives.length
    }))
  }
}

/** Wakes of a stream with these scores, after the pause of 2 s. The first five scores count as 0. */
export const countWakes = (scores: Float32Array, threshold: number): number => {
  let wakes = 0
  for (let at = silentSteps; at < scores.length; at++) {
    if (scores[at]! < threshold) continue
    wakes++
    at += debounceSteps - 1
  }
  return wakes
}

/** Share of misses that costs as much as one false accept an hour. Reason: at the targets below both cost the same. */
const missesForAccept = 0.1

/**
 * The threshold with the least cost of misses and expected false accepts; among equal ones the middle, which is the
 * farthest from both. Use it on the check part, never on the held-out part.
 */
export const chooseThreshold = (measured: Measured): number => {
  const { curve } = measured
  const expected = expectedFalseAccepts(measured)
  const costs = curve.map(
    ({ missRate }, index) => (Number.isNaN(missRate) ? 0 : missRate) + expected[index]! * missesForAccept
  )
  const least = Math.min(...costs)
  const best = curve.filter((_, index) => costs[index] === least)
  return best[Math.floor(best.length / 2)]!.threshold
}

/** Fewest and most false accepts of the estimate. Reason: fewer leave it to chance, and of more most are no tail. */
const tailAccepts = { least: 3, most: 20 }

/**
 * Expected false accepts an hour at each point of the curve. Reason: at high thresholds the check part has none, one or
 * two, which is mostly chance; the many at lower thresholds tell more. From the first point with at most 20 on, they
 * are taken to decrease exponentially with the logit of the threshold. The rate comes from the mean excess: how far the
 * scores above this point exceed it. The measured numbers count below this point, and when it has fewer than three.
 *
 * Source: peaks over a threshold, Pickands, 1975; the mean excess is the maximum-likelihood estimate. A straight line
 * through the logarithms of the numbers expected 1.3 an hour where 4.7 hours of other speech had none: the lowest
 * scores, which are the most, decided its slope.
 */
const expectedFalseAccepts = ({ curve, hours }: Measured): ReadonlyArray<number> => {
  const accepts = curve.map(({ falseAcceptsPerHour }) => falseAcceptsPerHour * hours)
  const first = accepts.findIndex((count) => count <= tailAccepts.most)
  const count = accepts[first] ?? 0
  const asMeasured = curve.map(({ falseAcceptsPerHour }) => falseAcceptsPerHour)
  if (count < tailAccepts.least) return asMeasured
  const logits = curve.map(({ threshold }) => Math.log(threshold / (1 - threshold)))
  const excess = accepts.reduce(
    (sum, each, index) =>
      index <= first ? sum : sum + ((accepts[index - 1]! + each) / 2) * (logits[index]! - logits[index - 1]!),
    0
  )
  // Only the last point of the curve has so few: nothing tells how they decrease.
  if (excess === 0) return asMeasured
  return asMeasured.map((measured, index) =>
    index < first ? measured : (count / hours) * Math.exp(((logits[first]! - logits[index]!) * count) / excess)
  )
}

/**
 * Maximum number of false accepts an hour of a model that may be activated without `force`. Source: the target of
 * openWakeWord.
 */
export const maxFalseAcceptsPerHour = 0.5

/** Highest miss rate of a model that may be activated without `force`. Source: the target of openWakeWord. */
export const maxMissRate = 0.05

/** The point of the curve whose threshold is nearest. */
export const pointAt = ({ curve }: Measured, threshold: number): CurvePoint =>
  curve.reduce((best, point) =>
    Math.abs(point.threshold - threshold) < Math.abs(best.threshold - threshold) ? point : best
  )
