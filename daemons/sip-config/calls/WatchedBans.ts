/** Ban watch built from its settings: one instance for all features of the daemon. */
import { Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import * as BanWatch from "./BanWatch.ts"
import { callSettings } from "./CallSettings.ts"

export const watchedBans = Layer.unwrap(
  Effect.map(settings({ sipBanExempt: callSettings.sipBanExempt }), ({ sipBanExempt }) => BanWatch.layer(sipBanExempt))
)
