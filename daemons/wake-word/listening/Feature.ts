import { Duration, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { SqlClient } from "effect/sql"
import { settings } from "#core/config/Environment.ts"
import { Secrets } from "#core/config/Secrets.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { Health } from "#core/daemon/Health.ts"
import { Wake } from "#core/events/Wake.ts"
import { Lane } from "#core/lane/Lane.ts"
import { transaction } from "#core/sql/Sql.ts"
import { periodic } from "#core/supervision/Periodic.ts"
import { Actor, Supervisor } from "#core/supervision/Supervisor.ts"
import { extractorConflicts } from "../engine/Exports.ts"
import { ModelStore } from "../models/Exports.ts"
import { lookEvery as modelsEvery } from "./ActiveModels.ts"
import { ListeningApi } from "./Api.ts"
import { listening as handlers } from "./Handlers.ts"
import { Listening } from "./Listening.ts"
import { listeningSettings } from "./ListeningSettings.ts"
import { tickets } from "./migrations/0031_tickets.ts"
import { lookEvery } from "./socket/Bounds.ts"
import { socketPaths } from "./socket/Handshake.ts"
import * as Tickets from "./socket/Tickets.ts"
import * as WakeSocket from "./socket/WakeSocket.ts"

/** Interval of deletions of used tickets that have expired. */
const ticketSweep = Duration.minutes(10)

/** Longest pause of the look for active models while nobody listens. */
const quietEvery = Duration.seconds(30)

const work = Layer.effectDiscard(
  Effect.gen(function* () {
    const config = yield* settings(listeningSettings)
    const { bounds, events, listeners, models } = yield* Listening
    const run = Effect.runForkWith(yield* Effect.context<SqlClient.SqlClient>())
    const socket = WakeSocket.make({
      entry: config,
      bounds,
      listeners,
      models,
      secrets: yield* Secrets,
      run: (effect) => void run(effect)
    })
    for (const path of socketPaths) yield* Lane.upgrade(path, socket.upgrade)
    yield* Health.component(
      "listening",
      Effect.sync(() => ({ ...listeners.component(), refused: socket.refused(), events_dropped: events.dropped() }))
    )
    yield* Supervisor.actor(events.actor)
    yield* Supervisor.actor({
      name: "wake word connections",
      run: Effect.gen(function* () {
        const actor = yield* Actor
        while (true) {
          yield* actor.progress
          yield* Effect.sleep(lookEvery)
          listeners.look(Date.now())
        }
      })
    })
    const wakeup = yield* (yield* Wake).subscribe(ModelStore.modelTopic)
    yield* Supervisor.actor({
      name: "active wake word models",
      run: Effect.gen(function* () {
        const actor = yield* Actor
        while (true) {
          yield* actor.progress
          const tenants = [...listeners.roster.tenants]
          if (tenants.length > 0) for (const tenant of yield* models.refresh(tenants)) listeners.changed(tenant)
          yield* wakeup.wait(listeners.roster.size > 0 ? modelsEvery : quietEvery)
        }
      })
    })
    yield* Supervisor.actor(
      periodic({
        name: "used wake word tickets",
        every: ticketSweep,
        round: Effect.map(transaction(Tickets.forgetExpired), (count) => `${count} forgotten`)
      })
    )
  })
)

/** Hears the active model's word in the audio that clients stream. */
export const listening = Feature.make({
  settings: listeningSettings,
  conflicts: extractorConflicts,
  migrations: [tickets],
  routes: socketPaths.map((prefix) => ({ prefix })),
  api: ListeningApi,
  layer: Layer.merge(HttpApiBuilder.layer(ListeningApi).pipe(Layer.provide(handlers)), work).pipe(
    Layer.provide(Listening.layer)
  )
})
