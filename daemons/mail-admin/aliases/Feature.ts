import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { AliasesApi } from "./Api.ts"
import { aliases as handlers, domainAliases } from "./Handlers.ts"

/** Aliases of mail domains. */
export const aliases = Feature.make({
  api: AliasesApi,
  layer: HttpApiBuilder.layer(AliasesApi).pipe(Layer.provide(Layer.merge(domainAliases, handlers)))
})
