import { Duration, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { Events } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import { periodic } from "#core/supervision/Periodic.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import * as AlertStore from "./AlertStore.ts"
import { SecurityApi } from "./Api.ts"
import * as CrowdSecClient from "./CrowdSecClient.ts"
import * as CrowdSecSync from "./CrowdSecSync.ts"
import * as DecisionStore from "./DecisionStore.ts"
import * as ExemptionStore from "./ExemptionStore.ts"
import { security } from "./Handlers.ts"
import { bans as tables } from "./migrations/0041_bans.ts"
import { ownBans } from "./OwnBans.ts"
import { banConflicts, banSettings } from "./Settings.ts"

/** Interval of the deletion of old rows. */
const pruneInterval = Duration.minutes(10)

const pruning = periodic({
  name: "old bans",
  every: pruneInterval,
  round: Effect.as(
    transaction(Effect.all([DecisionStore.prune, AlertStore.prune, ExemptionStore.prune], { discard: true })),
    "removed old bans and alerts"
  )
})

const work = Layer.effectDiscard(
  Effect.gen(function* () {
    const events = yield* Events
    yield* Supervisor.actors([events.consumer(ownBans), pruning])
  })
)

/** Bans of all our daemons and of CrowdSec in one list, and exemptions from them. */
export const bans = Feature.make({
  settings: banSettings,
  conflicts: banConflicts,
  migrations: [tables],
  api: SecurityApi,
  layer: Layer.mergeAll(HttpApiBuilder.layer(SecurityApi).pipe(Layer.provide(security)), CrowdSecSync.layer, work).pipe(
    Layer.provide(CrowdSecClient.layer)
  )
})
