/** Ends the app passwords of revoked devices. */
import { Effect, Schema } from "effect"
import { DeviceRevoked } from "#core/contracts/Provisioning.ts"
import { type Event, Events } from "#core/events/Events.ts"
import { transaction } from "#core/sql/Sql.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { SessionCuts } from "../session-cuts/Exports.ts"
import * as AppPasswords from "./AppPasswords.ts"

const decode = Schema.decodeUnknownEffect(DeviceRevoked.data)

/** Registers the consumer of `provisioning.device.revoked`. */
export const revocations = Effect.gen(function* () {
  const events = yield* Events
  const cuts = yield* SessionCuts.SessionCuts
  const handle = (event: Event) =>
    Effect.matchEffect(decode(event.data), {
      onFailure: () =>
        Effect.logError(`event ${event.id} (${event.type}) is not a valid revocation of a device and is skipped`),
      onSuccess: (device) =>
        Effect.provideService(
          transaction(AppPasswords.removeOfDevice(device, device.reason)),
          SessionCuts.SessionCuts,
          cuts
        )
    })
  yield* Supervisor.actor(
    // Reads events from its first start on, because no app password exists before.
    events.consumer({ name: "mail-admin.revoked-devices", pattern: DeviceRevoked.type, handle })
  )
})
