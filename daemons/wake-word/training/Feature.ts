import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { TrainingApi } from "./Api.ts"
import { counting } from "./Counting.ts"
import { training as handlers } from "./Handlers.ts"
import { training as table } from "./migrations/0005_training.ts"

const registered = Effect.gen(function* () {
  yield* Supervisor.actor(counting)
  yield* Health.component("training", Effect.succeed({ status: "ok" }))
})

/** What the feature is for, in one sentence. */
export const training = Feature.make({
  migrations: [table],
  api: TrainingApi,
  layer: Layer.merge(HttpApiBuilder.layer(TrainingApi).pipe(Layer.provide(handlers)), Layer.effectDiscard(registered))
})
