import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { PreferencesApi } from "./Api.ts"
import { preferences as handlers } from "./Handlers.ts"

/** Preferences of users for the console. */
export const preferences = Feature.make({
  api: PreferencesApi,
  layer: HttpApiBuilder.layer(PreferencesApi).pipe(Layer.provide(handlers))
})
