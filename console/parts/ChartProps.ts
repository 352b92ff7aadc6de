/** Data of a chart, for the plot and the table. */
import type { Tone } from "./Badge.tsx"

/** A tone when the colour has a meaning; `c1` to `c6` to distinguish series. */
export type Colour = Tone | "c1" | "c2" | "c3" | "c4" | "c5" | "c6"

/** One series of a chart. `values`: one per bucket. */
export interface Series {
  readonly name: string
  readonly label: string
  readonly colour: Colour
  readonly values: ReadonlyArray<number>
}

/**
 * `at`: start of each bucket; `until`: end of the last bucket. Epoch milliseconds; all buckets have the same length.
 */
export interface ChartProps {
  readonly label: string
  readonly at: ReadonlyArray<number>
  readonly until: number
  readonly series: ReadonlyArray<Series>
}
