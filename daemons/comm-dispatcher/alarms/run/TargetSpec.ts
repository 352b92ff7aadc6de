import type { AlarmTarget, TargetOptions } from "../../vocabulary/Exports.ts"
/** One target as a caller asks for it: whom, how, and what stands ready when that fails. */

export interface TargetSpec extends AlarmTarget {
  readonly options?: TargetOptions
  /** The fallback chain: each is tried when the one before it has failed for good. Theirs are not looked at. */
  readonly fallback?: ReadonlyArray<TargetSpec>
}

/** A target with its place in the ledger. */
export interface PlacedTarget extends TargetSpec {
  readonly position: number
  /** The position of the first of its chain. */
  readonly chain: number
  /** 0 for the first of a chain. */
  readonly step: number
  /** Others of its chain stand behind it. */
  readonly hasFallback: boolean
}

/** Chains laid out one behind the other. */
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
