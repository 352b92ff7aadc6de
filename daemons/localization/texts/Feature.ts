import { Duration, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { transaction } from "#core/sql/Sql.ts"
import { periodic } from "#core/supervision/Periodic.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { TextsApi } from "./Api.ts"
import { texts as handlers } from "./Handlers.ts"
import * as History from "./History.ts"
import * as TextProjection from "../text-memory/TextProjection.ts"
import { texts as tables } from "./migrations/0001_texts.ts"
import { shared } from "./migrations/0012_shared.ts"
import { pruneRemoved } from "./Removed.ts"

/** Interval of the deletion of old rows. */
const pruneInterval = Duration.minutes(10)

const pruning = periodic({
  name: "old texts",
  every: pruneInterval,
  round: Effect.as(
    transaction(Effect.all([History.prune, pruneRemoved], { discard: true })),
    "removed old changes and keys"
  )
})

/** Languages, keys and texts, with their history. */
export const texts = Feature.make({
  migrations: [tables, shared],
  api: TextsApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(TextsApi).pipe(Layer.provide(Layer.provide(handlers, TextProjection.layer))),
    Layer.effectDiscard(Supervisor.actor(pruning))
  )
})
