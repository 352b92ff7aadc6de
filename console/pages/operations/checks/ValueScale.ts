/** Scale of the chart of a check's values. Pure. */

export interface Point {
  /** Epoch milliseconds. */
  readonly at: number
  /** Undefined when the check got no value. */
  readonly value: number | undefined
  readonly state: string
}

export interface ValueAxis {
  /** Both a multiple of `step`. */
  readonly bottom: number
  readonly top: number
  readonly step: number
}

/** Number of steps of the axis at most. Reason: labels stay readable at a height of 160 pixels. */
const most = 4

/** Axis of round numbers that holds zero, all values and the limit. */
export const axisOf = (values: ReadonlyArray<number>): ValueAxis => {
  const high = Math.max(0, ...values)
  const low = Math.min(0, ...values)
  const rough = high === low ? 1 : (high - low) / most
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5].map((one) => one * power).find((one) => one >= rough * 0.999) ?? 10 * power
  return {
    step,
    top: Math.max(Math.ceil(high / step) * step, low === 0 ? step : 0),
    bottom: Math.floor(low / step) * step
  }
}

/** Values of the lines of the axis, from the bottom. */
export const linesOf = ({ bottom, step, top }: ValueAxis): ReadonlyArray<number> =>
  Array.from({ length: Math.round((top - bottom) / step) + 1 }, (_, at) => Number((bottom + at * step).toPrecision(12)))

/** Pieces of consecutive points with values. A gap without values separates two pieces. */
export const piecesOf = (points: ReadonlyArray<Point>): ReadonlyArray<ReadonlyArray<readonly [number, number]>> => {
  const pieces: Array<Array<readonly [number, number]>> = []
  let last: Array<readonly [number, number]> | undefined
  for (const { at, value } of points) {
    if (value === undefined) last = undefined
    else if (last === undefined) pieces.push((last = [[at, value]]))
    else last.push([at, value])
  }
  return pieces
}

export interface StateSpan {
  readonly from: number
  readonly to: number
  readonly state: string
}

/** Periods of equal states, from the first point to `until`. */
export const spansOf = (points: ReadonlyArray<Point>, until: number): ReadonlyArray<StateSpan> => {
  const begins = points.filter(({ state }, index) => index === 0 || points[index - 1]!.state !== state)
  return begins.map(({ at, state }, index) => ({ from: at, to: begins[index + 1]?.at ?? Math.max(until, at), state }))
}
