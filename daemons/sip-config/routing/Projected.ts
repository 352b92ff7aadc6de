/** Telephony projection built from its settings: one instance for all features of the daemon. */
import { Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import { routingSettings } from "./RoutingSettings.ts"
import * as TelephonyProjection from "./TelephonyProjection.ts"

export const projected = Layer.unwrap(
  Effect.map(settings(routingSettings), ({ switchStaleFor }) => TelephonyProjection.layer(switchStaleFor))
)
