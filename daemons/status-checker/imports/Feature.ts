import { Effect, Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { statusFiles } from "../status-files/Exports.ts"
import { Imports, imports as configured } from "./ImportActor.ts"
import { importSettings } from "./Settings.ts"

const register = Effect.gen(function* () {
  const { actor, health } = yield* Imports
  yield* Supervisor.actor(actor)
  yield* Health.components(Effect.sync(health))
})

/** Uptimes, subscribers and sent notices of another system, each imported once from a file. */
export const imports = Feature.make({
  settings: importSettings,
  layer: Layer.effectDiscard(register).pipe(Layer.provide([configured, statusFiles]))
})
