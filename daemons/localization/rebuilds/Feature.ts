import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { RebuildsApi } from "./Api.ts"
import * as Engine from "./Engine.ts"
import { rebuilds as handlers } from "./Handlers.ts"
import { rebuilds as tables } from "./migrations/0011_rebuilds.ts"
import { problems } from "./migrations/0021_problems.ts"
import { RebuildWanted } from "./RebuildJob.ts"
import { translationSettings } from "./Settings.ts"
import { rebuildWorker } from "./Worker.ts"

/** Translates stale texts by an engine, never in the request of a reader. */
export const rebuilds = Feature.make({
  settings: translationSettings,
  migrations: [tables, problems],
  queues: [RebuildWanted],
  api: RebuildsApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(RebuildsApi).pipe(Layer.provide(handlers)),
    Layer.effectDiscard(rebuildWorker)
  ).pipe(Layer.provide(Engine.layer))
})
