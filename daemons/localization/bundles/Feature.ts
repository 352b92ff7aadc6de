import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Lane } from "#core/lane/Lane.ts"
import { BundlesApi } from "./Api.ts"
import { lanes } from "./BundleLane.ts"
import * as Shelf from "./Shelf.ts"
import * as TextProjection from "../text-memory/TextProjection.ts"

/** For the API document only: the lane answers before the router. */
const handlers = Handlers.group(BundlesApi, "i18n", (handlers) =>
  handlers.handleAll({
    languages: () => Effect.succeed([]),
    bundle: () => Effect.fail(new NotFound({})),
    text: () => Effect.fail(new NotFound({}))
  })
)

const register = Effect.gen(function* () {
  const { book, projection } = yield* TextProjection.TextProjection
  yield* Lane.handleAll(lanes({ book, projection, shelf: Shelf.make(book) }))
  yield* Health.component(
    "texts",
    Effect.sync(() => {
      const age = projection.age()
      return {
        status: "ok" as const,
        keys: book.size(),
        languages: book.languages().length,
        compared_ms_ago: Number.isFinite(age) ? Math.round(age) : null
      }
    })
  )
})

/** Serves the texts of each language from memory. */
export const bundles = Feature.make({
  api: BundlesApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(BundlesApi).pipe(Layer.provide(handlers)),
    Layer.effectDiscard(register).pipe(Layer.provide(TextProjection.layer))
  )
})
