/** A requested target: channel, address, options and fallbacks. */
import type { NewTarget } from "../../runs/Exports.ts"
import type { AlarmTarget, TargetOptions } from "../../vocabulary/Exports.ts"
import * as RetryPlan from "../attempt/RetryPlan.ts"

export interface TargetSpec extends AlarmTarget {
  readonly options?: TargetOptions
  /**
   * The fallback chain. Each is tried when the one before it has failed for good. Fallbacks of fallbacks are ignored.
   */
  readonly fallback?: ReadonlyArray<TargetSpec>
}

/** The targets of a new run; each chain is followed by the next. Only the first target of a chain is due. */
export const placed = (specs: ReadonlyArray<TargetSpec>, now: number): ReadonlyArray<NewTarget> => {
  const laid: Array<NewTarget> = []
  for (const spec of specs) {
    const chain = laid.length
    const all = [spec, ...(spec.fallback ?? [])]
    for (const [step, one] of all.entries()) {
      const record = RetryPlan.initial(step === 0 ? now : null)
      laid.push({ ...one, position: laid.length, chain, step, hasFallback: step < all.length - 1, record })
    }
  }
  return laid
}
