import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { ModelsApi } from "./Api.ts"
import { models as handlers } from "./Handlers.ts"
import { models as tables } from "./migrations/0001_models.ts"

/** The models of each tenant, their measurements, and which of them is active. */
export const models = Feature.make({
  migrations: [tables],
  api: ModelsApi,
  layer: HttpApiBuilder.layer(ModelsApi).pipe(Layer.provide(handlers))
})
