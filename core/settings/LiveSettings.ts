/** Configuration whose stored settings have their present values, and parts of a daemon that are built from it. */
import { Duration, Effect } from "effect"
import { type ConfigInvalid, settings } from "../config/Environment.ts"
import type { Fields, Values } from "../config/Settings.ts"
import { isStored, type StoredSetting } from "./StoredSetting.ts"
import { StoredSettings } from "./StoredSettings.ts"
import { untilValuesChange, valuesVersion } from "./ValueChanges.ts"

/**
 * Decodes settings like `settings` of config/Environment.ts, with the present value of each stored setting at each
 * access. Read the fields where they are used: a copy (also `{ ...config }`) keeps the values of that moment.
 */
export const liveSettings = <F extends Fields>(fields: F): Effect.Effect<Values<F>, ConfigInvalid, StoredSettings> =>
  Effect.gen(function* () {
    const { live } = yield* StoredSettings
    const stored: Record<string, StoredSetting<unknown>> = {}
    for (const [key, setting] of Object.entries(fields)) if (isStored(setting)) stored[key] = setting
    return live(yield* settings(fields), stored) as Values<F>
  })

/** Whether two lists of values are the same. An unchanged setting keeps its value, so secrets compare too. */
const isSame = (a: ReadonlyArray<unknown>, b: ReadonlyArray<unknown>): boolean =>
  a.length === b.length && a.every((value, at) => value === b[at])

/** A value that is built from settings: at the first access, and again after one of them has changed. */
export const rebuilt = <I extends ReadonlyArray<unknown>, A>(
  read: () => readonly [...I],
  build: (...inputs: I) => A
): (() => A) => {
  let held: { readonly inputs: readonly [...I]; readonly value: A } | undefined
  return () => {
    const inputs = read()
    if (held === undefined || !isSame(held.inputs, inputs)) held = { inputs, value: build(...inputs) }
    return held.value
  }
}

/** Interval at which a waiting actor reports progress. Unit: seconds. Reason: well below the stall limit of actors. */
const progressInterval = Duration.seconds(20)

/** Completes when one of the stored settings that `read` returns from memory is another one than at the start. */
export const untilReplaced = <R = never>(
  read: () => ReadonlyArray<unknown>,
  progress: Effect.Effect<void, never, R> = Effect.void as Effect.Effect<void, never, R>
): Effect.Effect<void, never, R> =>
  Effect.gen(function* () {
    const former = read()
    while (true) {
      const seen = valuesVersion()
      if (!isSame(former, read())) return
      yield* progress
      yield* untilValuesChange(seen, progressInterval)
    }
  })
