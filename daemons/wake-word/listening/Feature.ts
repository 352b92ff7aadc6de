import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { ListeningApi } from "./Api.ts"
import { counting } from "./Counting.ts"
import { listening as handlers } from "./Handlers.ts"
import { listening as table } from "./migrations/0002_listening.ts"

const registered = Effect.gen(function* () {
  yield* Supervisor.actor(counting)
  yield* Health.component("listening", Effect.succeed({ status: "ok" }))
})

/** What the feature is for, in one sentence. */
export const listening = Feature.make({
  migrations: [table],
  api: ListeningApi,
  layer: Layer.merge(HttpApiBuilder.layer(ListeningApi).pipe(Layer.provide(handlers)), Layer.effectDiscard(registered))
})
