/** Scales of the chart of a model's curve. Pure. */
import type { CurvePoint } from "../Shapes.ts"

/** Round number at or above `value`, as the top of an axis: 1, 2 or 5 times a power of ten. */
export const roundTop = (value: number, least: number): number => {
  const wanted = Math.max(value, least)
  const power = 10 ** Math.floor(Math.log10(wanted))
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= wanted * 0.999)!
}

/** Values of an axis from 0 to `top`. */
export const axisSteps = (top: number, count: number): ReadonlyArray<number> =>
  Array.from({ length: count + 1 }, (_, at) => (top * at) / count)

/**
 * Top of the axis of false accepts: the one at the chosen threshold and the bound fit well. Reason: at low thresholds
 * there are hundreds an hour, which would flatten the part that matters.
 */
export const falseAcceptTop = (curve: ReadonlyArray<CurvePoint>, bound: number, threshold: number): number => {
  const near = curve.filter((point) => point.threshold >= threshold).map((point) => point.false_accepts_per_hour)
  return roundTop(Math.max(2 * bound, ...near), bound)
}

/** The point of the curve whose threshold is nearest; undefined for an empty curve. */
export const nearest = (curve: ReadonlyArray<CurvePoint>, threshold: number): CurvePoint | undefined =>
  curve.reduce<CurvePoint | undefined>(
    (best, point) =>
      best === undefined || Math.abs(point.threshold - threshold) < Math.abs(best.threshold - threshold) ? point : best,
    undefined
  )
