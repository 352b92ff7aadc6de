import { Effect, Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { tables } from "../status/Tables.ts"
import { Checking, checking } from "./Checking.ts"
import { checkSettings } from "./Settings.ts"

const register = Effect.gen(function* () {
  const { actors, health } = yield* Checking
  yield* Supervisor.actors(actors)
  yield* Health.component("checks", Effect.sync(health))
})

/** Checks of components, in one process of the fleet. Declares the tables of the whole daemon. */
export const checks = Feature.make({
  settings: checkSettings,
  migrations: tables.steps,
  layer: Layer.provide(Layer.effectDiscard(register), checking)
})
