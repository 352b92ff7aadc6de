/** False accepts an hour and miss rate of scores. Pure. */

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

/** 0.05 to 0.95 in steps of 0.05, then 0.97, 0.98, 0.99, 0.995. */
export const thresholds: ReadonlyArray<number> = [
  ...Array.from({ length: 19 }, (_, index) => (index + 1) / 20),
  0.97,
  0.98,
  0.99,
  0.995
]

/**
 * `negatives`: scores of consecutive steps, one array for each recording without the word. `positives`: scores of
 * consecutive steps, one array for each utterance of the word.
 */
export const measure = (negatives: ReadonlyArray<Float32Array>, positives: ReadonlyArray<Float32Array>): Measured => {
  void [negatives, positives]
  throw new Error("not implemented")
}

/** Threshold with the best trade between false accepts and misses. Use it on the check part, never on the held-out. */
export const chooseThreshold = (check: Measured): number => {
  void check
  throw new Error("not implemented")
}

/** Most false accepts an hour of a model that may be activated without `force`. Source: the target of openWakeWord. */
export const maxFalseAcceptsPerHour = 0.5

/** Highest miss rate of a model that may be activated without `force`. Source: the target of openWakeWord. */
export const maxMissRate = 0.05

/** The point of the curve whose threshold is nearest. */
export const pointAt = ({ curve }: Measured, threshold: number): CurvePoint =>
  curve.reduce((best, point) =>
    Math.abs(point.threshold - threshold) < Math.abs(best.threshold - threshold) ? point : best
  )
