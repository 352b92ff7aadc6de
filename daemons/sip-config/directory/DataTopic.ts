/** Wake topic that announces changes of telephony data to the projections. */
import { Effect } from "effect"
import { Wake } from "#core/events/Wake.ts"

/** Topic announced on every change of data that the switch uses. */
export const dataTopic = "sip_config.data"

/** Announces a change when the surrounding transaction commits. */
export const announceData = Effect.flatMap(Wake, (wake) => wake.announce(dataTopic))
