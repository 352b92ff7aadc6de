/** Settings that hold for every call, dry runs included. Pure. */
import type { Values } from "#core/config/Settings.ts"
import type { sipSettings } from "../directory/Exports.ts"
import type { Plan } from "./Call.ts"

/** What a phone dials for its own voicemail box by default. Source: the switch's own examples. */
const voicemailNumber = "*97"

export const planOf = (config: Pick<Values<typeof sipSettings>, "country" | "voicemailNumber">): Plan => ({
  country: config.country,
  voicemailNumber: config.voicemailNumber ?? voicemailNumber
})
