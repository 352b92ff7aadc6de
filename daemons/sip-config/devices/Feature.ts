import { Effect, Layer, Schema } from "effect"
import { DeviceRevoked, ExtensionCredentials } from "#core/contracts/Provisioning.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { type Event, Events } from "#core/events/Events.ts"
import * as Responder from "#core/requests/Responder.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { Credentials, SipSettings, sipSettings } from "../directory/Exports.ts"
import * as DeviceCredentials from "./DeviceCredentials.ts"

const isRevoked = Schema.is(DeviceRevoked.data)

const handle = (event: Event) =>
  isRevoked(event.data)
    ? DeviceCredentials.rotate(event.data)
    : Effect.logError(`event ${event.id} (${event.type}) is no revoked device and is skipped`)

/** Passwords of extensions for devices that a provisioning link sets up, and their change when a device is revoked. */
export const devices = Feature.make({
  settings: sipSettings,
  layer: Layer.effectDiscard(
    Effect.gen(function* () {
      const events = yield* Events
      yield* Responder.register({ request: ExtensionCredentials, answer: DeviceCredentials.show })
      yield* Supervisor.actor(
        events.consumer({ name: "sip-config.revoked-devices", pattern: DeviceRevoked.type, handle })
      )
    })
  ).pipe(Layer.provide([Credentials.layer, SipSettings.layer]))
})
