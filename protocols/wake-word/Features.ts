/** Embeddings of whole clips, in batches; the same numbers as a stream that starts with the clip. */
import type { Extractor } from "./Extractor.ts"

/** Embeddings of consecutive steps, row by row with 96 values. */
export type Rows = Float32Array

/** One row for each complete step of 1,280 samples. Checks `signal` between batches. */
export const clipRows = (extractor: Extractor, clip: Int16Array, signal?: AbortSignal): Promise<Rows> => {
  void [extractor, clip, signal]
  throw new Error("not implemented")
}

/** Inputs of a head: windows of 16 consecutive rows that begin at `starts` (row numbers). */
export interface Windows {
  readonly rows: Rows
  readonly starts: Uint32Array
}

/** All windows of 16 consecutive rows. `lengths`: rows of each clip in `rows`; no window spans two clips. */
export const allWindows = (rows: Rows, lengths: ReadonlyArray<number>): Windows => {
  void [rows, lengths]
  throw new Error("not implemented")
}
