/** Implementation of `signalbox secrets rotate`. */
import { Effect } from "effect"
import { join } from "node:path"
import { settings } from "../config/Environment.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
import { reseal } from "../config/SecretRotation.ts"
import { addKey, layer, type SealedColumn, Secrets } from "../config/Secrets.ts"
import { withStorage } from "./Storage.ts"

/** Adds a key when `add` is set, then seals the envelopes of every sealed column with the newest key. */
export const rotateAll = (sealed: ReadonlyArray<SealedColumn>, add: boolean) =>
  Effect.gen(function* () {
    const config = yield* settings(platformSettings)
    const keyFile = config.keyFile ?? join(config.dataDir, "keys")
    if (add) yield* addKey(keyFile)
    const work = Effect.gen(function* () {
      const key = yield* (yield* Secrets).currentKey
      // Without sealed columns no database is needed.
      return { key, columns: sealed.length === 0 ? [] : yield* withStorage(Effect.forEach(sealed, reseal)) }
    })
    return yield* Effect.provide(work, layer(keyFile))
  })
