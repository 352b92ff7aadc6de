/** How whoever keeps a picture of the telephony data hears that it is another. */
import { Effect } from "effect"
import { Wake } from "#core/events/Wake.ts"

/** Rings when anything is changed that the switch is told (Wake). */
export const dataTopic = "sip_config.data"

/** Rings with the surrounding transaction. */
export const announceData = Effect.flatMap(Wake, (wake) => wake.announce(dataTopic))
