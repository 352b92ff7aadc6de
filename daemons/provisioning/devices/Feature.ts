import { Duration, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Feature from "#core/daemon/Feature.ts"
import { transaction } from "#core/sql/Sql.ts"
import { periodic } from "#core/supervision/Periodic.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { DevicesApi } from "./Api.ts"
import { deletedUsers } from "./DeletedUsers.ts"
import { devices as handlers } from "./Handlers.ts"
import { devices as tables } from "./migrations/0041_devices.ts"
import * as Store from "./Store.ts"

/** Interval of deletions of devices that were revoked long ago. */
const sweepEvery = Duration.hours(6)

const work = Effect.gen(function* () {
  yield* Supervisor.actor(yield* deletedUsers)
  yield* Supervisor.actor(
    periodic({
      name: "old devices",
      every: sweepEvery,
      round: Effect.map(transaction(Store.prune), (gone) => `${gone} deleted`)
    })
  )
})

/** Devices that were set up, and their revocation. */
export const devices = Feature.make({
  migrations: [tables],
  api: DevicesApi,
  layer: Layer.merge(HttpApiBuilder.layer(DevicesApi).pipe(Layer.provide(handlers)), Layer.effectDiscard(work))
})
