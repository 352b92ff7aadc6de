import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { ModelsApi } from "./Api.ts"
import { counting } from "./Counting.ts"
import { models as handlers } from "./Handlers.ts"
import { models as table } from "./migrations/0003_models.ts"

const registered = Effect.gen(function* () {
  yield* Supervisor.actor(counting)
  yield* Health.component("models", Effect.succeed({ status: "ok" }))
})

/** What the feature is for, in one sentence. */
export const models = Feature.make({
  migrations: [table],
  api: ModelsApi,
  layer: Layer.merge(HttpApiBuilder.layer(ModelsApi).pipe(Layer.provide(handlers)), Layer.effectDiscard(registered))
})
