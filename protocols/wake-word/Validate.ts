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

/**
 * Maximum number of false accepts an hour of a model that may be activated without `force`. Source: the target of
 * openWakeWord.
 */
export const maxFalseAcceptsPerHour = 0.5

/** Highest miss rate of a model that may be activated without `force`. Source: the target of openWakeWord. */
export const maxMissRate = 0.05

/**
 * Chooses the threshold of a model from its curve on the check part; never use it on the held-out part. A lower
 * threshold has more false accepts, a higher one more misses. Those that keep both limits above form a range, and the
 * result is its middle on the scale of the logit. Without such a range it is the threshold whose worse figure exceeds
 * its limit by the smallest factor.
 *
 * Reason: other voices move both ends of the range, and the middle is the farthest from both. With half of the check
 * voices to choose the threshold and the other half to test it, this rule kept both limits in 82 to 97 % of the
 * divisions; the least sum of misses and expected false accepts kept them in 78 to 88 %.
 */
export const chooseThreshold = ({ curve }: Measured): number => {
  const misses = ({ missRate }: CurvePoint) => (Number.isNaN(missRate) ? 0 : missRate)
  // The pause after a wake can hide a second one, so a lower threshold may have fewer false accepts by chance.
  const tooMany = curve.findLastIndex(({ falseAcceptsPerHour }) => falseAcceptsPerHour > maxFalseAcceptsPerHour)
  const lowest = curve[tooMany + 1]
  const highest = curve.findLast((point) => misses(point) <= maxMissRate)
  if (lowest !== undefined && highest !== undefined && lowest.threshold <= highest.threshold) {
    const middle = (logit(lowest.threshold) + logit(highest.threshold)) / 2
    return least(curve, ({ threshold }) => Math.abs(logit(threshold) - middle)).threshold
  }
  return least(curve, (point) =>
    Math.max(misses(point) / maxMissRate, point.falseAcceptsPerHour / maxFalseAcceptsPerHour)
  ).threshold
}

/** Undoes the sigmoid of a score. Reason: near 1 a small step of the threshold changes much. */
const logit = (threshold: number): number => Math.log(threshold / (1 - threshold))

/** The first point with the least value. */
const least = (curve: ReadonlyArray<CurvePoint>, value: (point: CurvePoint) => number): CurvePoint =>
  curve.reduce((best, point) => (value(point) < value(best) ? point : best))

/** The point of the curve whose threshold is nearest. */
export const pointAt = ({ curve }: Measured, threshold: number): CurvePoint =>
  least(curve, (point) => Math.abs(point.threshold - threshold))
