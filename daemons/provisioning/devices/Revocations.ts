/**
 * Ends the credentials of devices: emits the event by which each daemon ends those that it issued. Functions run in the
 * surrounding transaction.
 */
import { Effect } from "effect"
import { DeviceRevoked } from "#core/contracts/Provisioning.ts"
import { Events } from "#core/events/Events.ts"
import type { Device } from "./Store.ts"

type Credentials = Pick<Device, "id" | "tenant_id" | "user_id" | "session" | "mailbox" | "extension_id">

/** Ends the credentials of a device. */
export const endCredentials = Effect.fnUntraced(function* (
  { extension_id, id, mailbox, session, tenant_id, user_id }: Credentials,
  reason: (typeof DeviceRevoked.data.Type)["reason"]
) {
  const events = yield* Events
  const at = new Date().toISOString()
  const state = "deleted" as const
  const data = { device_id: id, user_id, tenant_id, reason, state, session, mailbox, extension_id, at }
  yield* events.emit(DeviceRevoked, "provisioning", data, { tenantId: tenant_id, userId: user_id })
})

/** Ends what was issued for a set-up that failed half-way. Its session, if any, ends with its token. */
export const endAbandoned = (device: {
  readonly id: string
  readonly tenant_id: number
  readonly user_id: number
  readonly session?: string
}) => endCredentials({ session: null, ...device, mailbox: null, extension_id: null }, "abandoned")
