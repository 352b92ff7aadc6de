/** The delivery jobs: one queue per channel, so that no channel waits behind another. */
import { Schema } from "effect"
import * as Jobs from "#core/jobs/Jobs.ts"
import { originOf } from "../../channels/Exports.ts"
import { type Channel, priorityOf, type Severity } from "../../vocabulary/Exports.ts"

/** An attempt at a target is due. `party` and `priority` order its turn without reading the target. */
const Delivery = Schema.Struct({
  target_id: Schema.Number,
  party: Schema.optionalKey(Schema.String),
  priority: Schema.optionalKey(Schema.Number)
})

/** The other side whose limits decide the turn: the host of a webhook, the chat of a message. */
const partyOf: Partial<Record<Channel, (target: string) => string>> = {
  webhook: originOf,
  messenger: (chat) => chat,
  messenger_voice: (chat) => chat
}

/** The delivery job of a target. */
export const deliveryOf = (id: number, channel: Channel, target: string, severity: Severity | null) => {
  const party = partyOf[channel]?.(target)
  const priority = priorityOf[severity ?? "WARNING"]
  return {
    data: { target_id: id, ...(party === undefined ? {} : { party, priority }) } satisfies typeof Delivery.Type,
    priority
  }
}

const jobOf = (channel: Channel) => Jobs.define(`alarm.deliver.${channel}`, Delivery)

export const deliveries = {
  call: jobOf("call"),
  messenger: jobOf("messenger"),
  messenger_voice: jobOf("messenger_voice"),
  webhook: jobOf("webhook"),
  sms: jobOf("sms")
} satisfies Record<Channel, ReturnType<typeof jobOf>>

export type DeliveryJob = Jobs.ClaimedJob<typeof Delivery.Type>
