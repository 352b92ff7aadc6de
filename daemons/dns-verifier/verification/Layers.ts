/** Services of the verification, built once per daemon. */
import { Effect, Layer } from "effect"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import * as Observer from "./observe/Observer.ts"
import { verificationSettings } from "./Settings.ts"
import * as Sweep from "./sweep/SweepShard.ts"
import * as Verification from "./Verification.ts"

/** The settings with present values. */
const live = liveSettings(verificationSettings)

export const observer = Layer.unwrap(Effect.map(live, (config) => Observer.layer(config)))

export const sweep = Layer.unwrap(Effect.map(live, Sweep.layer))

export const verification = Layer.unwrap(Effect.map(live, Verification.layer)).pipe(Layer.provide(observer))
