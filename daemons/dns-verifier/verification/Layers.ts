/** Services of the verification, built once per daemon. */
import { Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import { mailServerSettings } from "#core/config/MailServerSettings.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"
import * as Observer from "./observe/Observer.ts"
import { verificationSettings } from "./Settings.ts"
import * as Sweep from "./sweep/SweepShard.ts"
import * as Verification from "./Verification.ts"

export const observer = Layer.unwrap(Effect.map(settings(verificationSettings), (config) => Observer.layer(config)))

/** The settings, with the addresses of the platform as they are at each access. */
const live = Effect.gen(function* () {
  return (yield* StoredSettings).live(yield* settings(verificationSettings), mailServerSettings)
})

export const sweep = Layer.unwrap(Effect.map(live, Sweep.layer))

export const verification = Layer.unwrap(Effect.map(live, Verification.layer)).pipe(Layer.provide(observer))
