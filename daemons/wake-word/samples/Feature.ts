import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { SamplesApi } from "./Api.ts"
import { counting } from "./Counting.ts"
import { samples as handlers } from "./Handlers.ts"
import { samples as table } from "./migrations/0004_samples.ts"

const registered = Effect.gen(function* () {
  yield* Supervisor.actor(counting)
  yield* Health.component("samples", Effect.succeed({ status: "ok" }))
})

/** What the feature is for, in one sentence. */
export const samples = Feature.make({
  migrations: [table],
  api: SamplesApi,
  layer: Layer.merge(HttpApiBuilder.layer(SamplesApi).pipe(Layer.provide(handlers)), Layer.effectDiscard(registered))
})
