/** Services of the verification, built once per daemon. */
import { Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import * as Observer from "./observe/Observer.ts"
import { verificationSettings } from "./Settings.ts"
import * as Sweep from "./sweep/SweepShard.ts"
import * as Verification from "./Verification.ts"

export const observer = Layer.unwrap(Effect.map(settings(verificationSettings), (config) => Observer.layer(config)))

export const sweep = Layer.unwrap(Effect.map(settings(verificationSettings), Sweep.layer))

export const verification = Layer.unwrap(Effect.map(settings(verificationSettings), Verification.layer)).pipe(
  Layer.provide(observer)
)
