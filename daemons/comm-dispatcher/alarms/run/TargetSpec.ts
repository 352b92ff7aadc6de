/** One target as a caller asks for it: whom, how, and what stands ready when that fails. */
import { Schema } from "effect"
import type { AlarmTarget } from "../subject/AlarmSubject.ts"

/** The speech providers by their names in the interface (document 1 §2.4). */
export const ttsProviders = ["local_fast", "local_gpu", "cloud"] as const

/** What only some channels heed; the channel fills in what is not given. */
export const TargetOptions = Schema.Struct({
  tts_provider: Schema.optionalKey(Schema.Literals(ttsProviders)),
  tts_voice: Schema.optionalKey(Schema.String),
  gateway: Schema.optionalKey(Schema.String),
  /** Unit: milliseconds. */
  pause_ms: Schema.optionalKey(Schema.Int),
  repeat: Schema.optionalKey(Schema.Int),
  caption: Schema.optionalKey(Schema.String)
})
export type TargetOptions = typeof TargetOptions.Type

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
