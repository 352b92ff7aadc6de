/** What listens in this process: built once, used by the socket and the endpoints. */
import { Context, Effect, Layer } from "effect"
import { type ConfigInvalid, settings } from "#core/config/Environment.ts"
import { type ExtractorSource, extractorSource } from "../engine/Exports.ts"
import { ActiveModels } from "./ActiveModels.ts"
import { listeningSettings, threadsOf } from "./ListeningSettings.ts"
import { type Bounds, bounds } from "./socket/Bounds.ts"
import { Listeners } from "./socket/Listeners.ts"
import * as WakeEvents from "./WakeEvents.ts"

export class Listening extends Context.Service<
  Listening,
  {
    readonly listeners: Listeners
    readonly models: ActiveModels
    readonly bounds: Bounds
    readonly events: ReturnType<typeof WakeEvents.make>
    readonly source: ExtractorSource
  }
>()("signalbox/wake-word/Listening") {
  static readonly layer: Layer.Layer<Listening, ConfigInvalid> = Layer.effect(
    Listening,
    Effect.gen(function* () {
      const config = yield* settings(listeningSettings)
      const source = yield* extractorSource(config)
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const models = new ActiveModels()
      const events = WakeEvents.make()
      const limits: Bounds = { ...bounds, maxConnections: config.maxConnections, maxPerTenant: config.maxPerTenant }
      const listeners = yield* Effect.acquireRelease(
        Effect.sync(
          () =>
            new Listeners({
              source,
              threads: threadsOf(config),
              bounds: limits,
              models,
              detected: ({ connection, model, score }) =>
                events.add({
                  tenantId: model.tenantId,
                  data: {
                    score,
                    word: model.word,
                    connection: connection.id,
                    user_id: connection.owner.userId,
                    model: model.name,
                    at: new Date().toISOString()
                  }
                }),
              note: (text) => void run(Effect.logWarning(text))
            })
        ),
        (opened) => Effect.promise(() => opened.close())
      )
      return { listeners, models, bounds: limits, events, source }
    })
  )
}
