import { Schema } from "effect"
import * as Jobs from "#core/Jobs.ts"
import { type Channel, channels, type Severity } from "./AlarmSubject.ts"

/** One attempt at one target is due. */
const Delivery = Schema.Struct({ target_id: Schema.Number })

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

/** Order within a queue: the gravest first. */
export const priorityOf: Record<Severity, number> = { ALERT: 30, CRITICAL: 20, WARNING: 10, INFO: 0 }
