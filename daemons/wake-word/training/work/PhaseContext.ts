import type { Helpers } from "./Helpers.ts"
import type { PhaseStart } from "./Messages.ts"

/** What the code of a phase gets. */
export interface PhaseContext {
  readonly start: PhaseStart
  /** Memory for `openExtractors`. */
  readonly calls: SharedArrayBuffer
  readonly helpers: Helpers
  /** Tells the share that is done, 0 to 1. */
  readonly progress: (share: number) => void
}
