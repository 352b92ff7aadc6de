import { Duration, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { periodic } from "#core/supervision/Periodic.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { SupportApi } from "./Api.ts"
import { supportHandlers } from "./Handlers.ts"
import { supportSessions } from "./migrations/0010_support_sessions.ts"
import * as Store from "./Store.ts"

/** Interval of the pruning. */
const every = Duration.minutes(10)

/** Deletes ended sessions. */
const pruning = periodic({
  name: "support session pruning",
  every,
  round: Effect.map(Store.prune, (gone) => `removed ${gone} support sessions`)
})

/** Support sessions: a user requests support and reads a code out. */
export const supportFeature = Feature.make({
  migrations: [supportSessions],
  api: SupportApi,
  layer: Layer.merge(
    HttpApiBuilder.layer(SupportApi).pipe(Layer.provide(supportHandlers)),
    Layer.effectDiscard(Supervisor.actor(pruning))
  )
})
