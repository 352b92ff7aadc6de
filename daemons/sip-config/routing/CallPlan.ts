/** Builds the router's settings for real calls and dry runs. Pure. */
import type { Values } from "#core/config/Settings.ts"
import type { sipSettings } from "../directory/Exports.ts"
import type { Plan } from "./Call.ts"

/** Default number for a phone's own voicemail box. Source: FreeSWITCH's example configuration. */
const voicemailNumber = "*97"

export const planOf = (config: Pick<Values<typeof sipSettings>, "country" | "voicemailNumber">): Plan => ({
  country: config.country,
  voicemailNumber: config.voicemailNumber ?? voicemailNumber
})
