/** Scale of the chart of money in and out. Pure. */

/** Money of one day. Unit: the currency's main unit, such as euros; `out` is positive. */
export interface DayMoney {
  /** ISO 8601 without a time. */
  readonly day: string
  readonly in: number
  readonly out: number
  readonly transactions: number
  /** Transactions that are matched, in whole or in part. */
  readonly matched: number
}

/** Share of the matched transactions, 0 to 1; undefined without transactions. */
export const matchedShare = ({
  matched,
  transactions
}: Pick<DayMoney, "matched" | "transactions">): number | undefined =>
  transactions === 0 ? undefined : matched / transactions

export interface Axis {
  /** Both a multiple of `step`; `bottom` is 0 or less. */
  readonly top: number
  readonly bottom: number
  readonly step: number
}

/** Number of steps of the axis at most. Reason: labels stay readable at a height of 200 pixels. */
const most = 5

/** Axis of round numbers that holds all days. */
export const axisOf = (days: ReadonlyArray<DayMoney>): Axis => {
  const up = Math.max(0, ...days.map((day) => day.in))
  const down = Math.max(0, ...days.map((day) => day.out))
  const rough = Math.max(1, (up + down) / most)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? 10 * power
  return { step, top: Math.max(step, Math.ceil(up / step) * step), bottom: Math.ceil(down / step) * -step + 0 }
}

/** Values of the lines of the axis, from the bottom. */
export const linesOf = ({ bottom, step, top }: Axis): ReadonlyArray<number> =>
  Array.from({ length: Math.round((top - bottom) / step) + 1 }, (_, at) => bottom + at * step)

/** Distance from the top of the plot. `height`: of the plot. */
export const heightAt = ({ bottom, top }: Axis, value: number, height: number): number =>
  ((top - value) / (top - bottom)) * height

/** Indexes of the days with a label: as many as have room, the last day always. */
export const labelled = (count: number, room: number): ReadonlyArray<number> => {
  const every = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(room))))
  return Array.from({ length: count }, (_, at) => at).filter((at) => (count - 1 - at) % every === 0)
}
