import { Effect, Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { transaction } from "#core/sql/Sql.ts"
import { register } from "./Register.ts"
import { catalogueFile, readShippedTexts } from "./ShippedTexts.ts"

const registering = Effect.gen(function* () {
  const shipped = readShippedTexts(catalogueFile(import.meta.url))
  if (shipped === undefined)
    return yield* Effect.logWarning("the console was not built, so its texts are not registered")
  const changed = yield* transaction(register(shipped))
  if (changed > 0) yield* Effect.logInfo(`registered ${changed} changed texts of ${shipped.size}`)
})

/** Registers the console's texts at the start. */
export const catalogue = Feature.make({ layer: Layer.effectDiscard(registering) })
