import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { settings } from "#core/config/Environment.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { alerts } from "../alerting/Exports.ts"
import { ServicesApi } from "./Api.ts"
import { CriticalKeeper } from "./CriticalKeeper.ts"
import { serviceRuntime } from "./Exports.ts"
import { services as handlers } from "./Handlers.ts"
import { services as tables } from "./migrations/0021_services.ts"
import { requestedRestarts } from "./RequestedRestarts.ts"
import { serviceSettings } from "./Settings.ts"

const register = Effect.gen(function* () {
  const config = yield* settings(serviceSettings)
  const keeper = yield* CriticalKeeper
  yield* Supervisor.actor(requestedRestarts(config))
  yield* Supervisor.actors(keeper.actors)
})

/** Containers, systemd units and our own daemons: their state, logs and restarts. */
export const services = Feature.make({
  settings: serviceSettings,
  migrations: [tables],
  api: ServicesApi,
  layer: Layer.mergeAll(
    HttpApiBuilder.layer(ServicesApi).pipe(Layer.provide(handlers)),
    Layer.effectDiscard(register)
  ).pipe(Layer.provide(serviceRuntime), Layer.provide(alerts))
})
