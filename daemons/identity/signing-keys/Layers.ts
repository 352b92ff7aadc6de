/** Layer of the signing keys, and its setting. */
import { Effect, Layer } from "effect"
import * as SigningKeys from "#core/auth/SigningKeys.ts"
import { settings } from "#core/config/Environment.ts"
import * as Settings from "#core/config/Settings.ts"

export const keySettings = {
  keyDays: Settings.integer("SIGNALBOX_JWT_KEY_DAYS", {
    doc: "How long a key signs tokens before a new key replaces it",
    unit: "days",
    default: 90,
    min: 1,
    max: 3650
  })
}

export const signingKeys = Layer.unwrap(Effect.map(settings(keySettings), ({ keyDays }) => SigningKeys.layer(keyDays)))
