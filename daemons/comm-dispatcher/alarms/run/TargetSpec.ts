import type { AlarmTarget, TargetOptions } from "../../vocabulary/Exports.ts"
/** A requested target: channel, address, options and fallbacks. */

export interface TargetSpec extends AlarmTarget {
  readonly options?: TargetOptions
  /**
   * The fallback chain. Each is tried when the one before it has failed for good. Fallbacks of fallbacks are ignored.
   */
  readonly fallback?: ReadonlyArray<TargetSpec>
}

/** A target with its position in the ledger. */
export interface PlacedTarget extends TargetSpec {
  readonly position: number
  /** Position of the first target of its chain. */
  readonly chain: number
  /** 0 for the first target of a chain. */
  readonly step: number
  /** Fallbacks follow in its chain. */
  readonly hasFallback: boolean
}

/** Numbers the targets; each chain is followed by the next. */
export const placed = (specs: ReadonlyArray<TargetSpec>): ReadonlyArray<PlacedTarget> => {
  const laid: Array<PlacedTarget> = []
  for (const spec of specs) {
    const chain = laid.length
    const all = [spec, ...(spec.fallback ?? [])]
    for (const [step, one] of all.entries())
      laid.push({ ...one, position: laid.length, chain, step, hasFallback: step < all.length - 1 })
  }
  return laid
}
