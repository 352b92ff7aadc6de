import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { SetupApi } from "./Api.ts"
import { setup as handlers } from "./Handlers.ts"

/** The list of what a new installation still needs. */
export const setup = Feature.make({
  api: SetupApi,
  layer: HttpApiBuilder.layer(SetupApi).pipe(Layer.provide(handlers))
})
