import { Effect, Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { fileSettings } from "./Settings.ts"
import { StatusFiles, statusFiles } from "./StatusFiles.ts"

const register = Effect.gen(function* () {
  const files = yield* StatusFiles
  yield* Supervisor.actor(files.actor)
  yield* Health.components(Effect.sync(files.health))
})

/** SERVICES_FILE and INCIDENTS_FILE, read again when they change. */
export const statusFileReader = Feature.make({
  settings: fileSettings,
  layer: Layer.provide(Layer.effectDiscard(register), statusFiles)
})
