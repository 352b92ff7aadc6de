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
    const work = Effect.gen(function* () {
      if (add) yield* addKey(keyFile)
      return { key: yield* (yield* Secrets).currentKey, columns: yield* Effect.forEach(sealed, reseal) }
    })
    // The key is added only when the database answers.
    return yield* Effect.provide(withStorage(work), layer(keyFile))
  })
