/** Stored settings and the keys of secrets, for commands. */
import { Effect, Layer } from "effect"
import { join } from "node:path"
import { settings } from "../config/Environment.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
import * as Secrets from "../config/Secrets.ts"
import type { Fields } from "../config/Settings.ts"
import { storedAmong } from "../settings/StoredSetting.ts"
import * as StoredSettings from "../settings/StoredSettings.ts"

/** Keys of secrets, from the file of the installation. */
export const operatorSecrets = Layer.unwrap(
  Effect.map(settings(platformSettings), ({ dataDir, keyFile }) => Secrets.layer(keyFile ?? join(dataDir, "keys")))
)

/** The stored settings among these fields. */
export const operatorSettings = (...fields: ReadonlyArray<Fields>) =>
  StoredSettings.layer(storedAmong(fields)).pipe(Layer.provide(operatorSecrets))
