import { Effect, Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { transaction } from "#core/sql/Sql.ts"
import { declaredTexts } from "#core/words/ShippedTexts.ts"
import { register } from "./Register.ts"
import { catalogueFile, readShippedTexts } from "./ShippedTexts.ts"

const registering = Effect.gen(function* () {
  const shipped = readShippedTexts(catalogueFile(import.meta.url))
  if (shipped === undefined) return yield* Effect.logWarning("the console was not built, so no texts are registered")
  const all = new Map([...shipped, ...declaredTexts()])
  const changed = yield* transaction(register(all))
  // All texts are new to a new database; the line would only push the sign-in link off the screen.
  const log = changed === all.size ? Effect.logDebug : Effect.logInfo
  if (changed > 0) yield* log(`registered ${changed} changed texts of ${all.size}`)
})

/** Registers the texts of the console and of all daemons at the start. */
export const catalogue = Feature.make({ layer: Layer.effectDiscard(registering) })
