import type { SipConfigConfig } from "../Config.ts"
import type { Plan } from "../routing/Route.ts"
import type { SwitchOptions } from "./SwitchLane.ts"

/** What a phone dials for its own voicemail box when nothing says otherwise. Source: the switch's own examples. */
const voicemailNumber = "*97"

/** What holds for every call, from the settings: also for dry runs. */
export const planOf = (config: SipConfigConfig): Plan => ({
  country: config.country,
  voicemailNumber: config.voicemailNumber ?? voicemailNumber
})

export const switchOptions = (config: SipConfigConfig): SwitchOptions => ({
  plan: planOf(config),
  ports: { tls: config.tlsPort },
  ranges: config.switchRanges
})
