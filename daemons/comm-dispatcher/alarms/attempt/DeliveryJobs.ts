import { Schema } from "effect"
import * as Jobs from "#core/jobs/Jobs.ts"
import { originOf } from "../../channels/Exports.ts"
import { type Channel, channels, priorityOf, type Severity } from "../../vocabulary/Exports.ts"

/** One attempt at one target is due. `party`, `priority`: by what its turn goes, where that can be known without reading the target. */
const Delivery = Schema.Struct({
  target_id: Schema.Number,
  party: Schema.optionalKey(Schema.String),
  priority: Schema.optionalKey(Schema.Number)
})

/** Who is on the other side, as far as turns go: the host of a webhook, the chat of a message. */
const partyOf: Partial<Record<Channel, (target: string) => string>> = {
  webhook: originOf,
  messenger: (chat) => chat,
  messenger_voice: (chat) => chat
}

/** The job of a target. */
export const deliveryOf = (id: number, channel: Channel, target: string, severity: Severity | null) => {
  const party = partyOf[channel]?.(target)
  const priority = priorityOf[severity ?? "WARNING"]
  return {
    data: { target_id: id, ...(party === undefined ? {} : { party, priority }) } satisfies typeof Delivery.Type,
    priority
  }
}

const jobOf = (channel: Channel) => Jobs.define(`alarm.deliver.${channel}`, Delivery)

/** A queue for each channel, so that none waits behind another. */
export const deliveries = {
  call: jobOf("call"),
  messenger: jobOf("messenger"),
  messenger_voice: jobOf("messenger_voice"),
  webhook: jobOf("webhook"),
  sms: jobOf("sms")
} satisfies Record<Channel, ReturnType<typeof jobOf>>

/** Their names, for the engine. */
export const deliveryQueues: ReadonlyArray<string> = channels.map((channel) => deliveries[channel].queue)
