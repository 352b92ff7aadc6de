import { Effect, Layer, Schema } from "effect"
import { DeviceLogin, DeviceRevoked } from "#core/contracts/Provisioning.ts"
import * as Feature from "#core/daemon/Feature.ts"
import { type Event, Events } from "#core/events/Events.ts"
import * as Responder from "#core/requests/Responder.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { signingKeys } from "../signing-keys/Exports.ts"
import * as DeviceLogins from "./DeviceLogins.ts"

const isRevoked = Schema.is(DeviceRevoked.data)

const handle = (event: Event) =>
  isRevoked(event.data)
    ? DeviceLogins.end(event.data)
    : Effect.logError(`event ${event.id} (${event.type}) is no revoked device and is skipped`)

/** Logins of devices that a provisioning link sets up, and their end. */
export const deviceLogin = Feature.make({
  layer: Layer.effectDiscard(
    Effect.gen(function* () {
      const events = yield* Events
      yield* Responder.register({ request: DeviceLogin, answer: DeviceLogins.open })
      yield* Supervisor.actor(
        events.consumer({ name: "identity.revoked-devices", pattern: DeviceRevoked.type, handle })
      )
    })
  ).pipe(Layer.provide(signingKeys))
})
