import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { settings } from "#core/config/Environment.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { SipSettings, sipSettings } from "../directory/Exports.ts"
import { RoutingApi } from "./dry-run/Api.ts"
import { routeTest } from "./dry-run/Handlers.ts"
import { routingSettings } from "./RoutingSettings.ts"
import { projected, upkeep } from "./TelephonyProjection.ts"

/** Feature: keeps the telephony data in memory and routes calls. */
export const routing = Feature.make({
  settings: { ...sipSettings, ...routingSettings },
  api: RoutingApi,
  layer: Layer.mergeAll(
    HttpApiBuilder.layer(RoutingApi).pipe(Layer.provide(routeTest)),
    Layer.unwrap(Effect.map(settings(routingSettings), ({ switchStaleFor }) => upkeep(switchStaleFor)))
  ).pipe(Layer.provide(Layer.merge(projected, SipSettings.layer)))
})
