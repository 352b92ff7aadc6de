import { Effect, Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { Imported, importSettings } from "./Import.ts"

const register = Effect.gen(function* () {
  const imported = yield* Imported
  if (imported._tag === "Failed")
    yield* Health.component("import", Effect.succeed({ status: "degraded", detail: imported.detail }))
})

/** Users and protected routes of an older installation, imported once. */
export const imports = Feature.make({
  settings: importSettings,
  layer: Layer.provide(Layer.effectDiscard(register), Imported.layer)
})
