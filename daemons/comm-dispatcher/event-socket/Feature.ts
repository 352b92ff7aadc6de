import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { EventsApi } from "./Api.ts"
import { eventHandlers } from "./Handlers.ts"
import * as Hub from "./hub/Hub.ts"

export const eventSocketFeature = Feature.make({
  // Clients send their token in the first frame: an address must not carry it.
  routes: [{ prefix: Hub.hubPath }],
  api: EventsApi,
  layer: Layer.merge(HttpApiBuilder.layer(EventsApi).pipe(Layer.provide(eventHandlers)), Hub.layer)
})
