import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { ServiceTokensApi } from "./Api.ts"
import { serviceTokens as handlers } from "./Handlers.ts"

/** Service tokens: long-lived credentials of programs. */
export const serviceTokens = Feature.make({
  api: ServiceTokensApi,
  layer: HttpApiBuilder.layer(ServiceTokensApi).pipe(Layer.provide(handlers))
})
