/** The data of a chart, as the plot and the table take it. */
import type { Tone } from "./Badge.tsx"

/** A tone where the colour has a meaning; `c1` to `c6` where it only tells series apart. */
export type Colour = Tone | "c1" | "c2" | "c3" | "c4" | "c5" | "c6"

/** `values`: one per bucket. */
export interface Series {
  readonly name: string
  readonly label: string
  readonly colour: Colour
  readonly values: ReadonlyArray<number>
}

/** `at`: start of each bucket; `until`: end of the last one. Epoch milliseconds; all buckets have one length. */
export interface ChartProps {
  readonly label: string
  readonly at: ReadonlyArray<number>
  readonly until: number
  readonly series: ReadonlyArray<Series>
}
