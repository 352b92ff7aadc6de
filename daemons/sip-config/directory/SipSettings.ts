/** Settings shared by the features of sip-config, as a service for handlers. */
import { Context, Effect, Layer } from "effect"
import { settings } from "#core/config/Environment.ts"
import type { SettingProblem, Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"
import { country, sipHost } from "#core/config/TelephonySettings.ts"
import { isEmergency } from "#protocols/phone-numbers/EmergencyNumbers.ts"

export const sipSettings = {
  country,
  sipHost,
  tlsPort: Settings.port("SIGNALBOX_SIP_TLS_PORT", {
    doc:
      "Port of SIP over TLS in phone settings and in the switch's configuration; must match the port open in the " +
      "firewall",
    default: 5061
  }),
  voicemailNumber: Settings.optionalText("SIGNALBOX_SIP_VOICEMAIL_NUMBER", {
    doc: "Number that a phone dials to hear its own voicemail box; unset: *97",
    check: (text) => (/^[\d*#]{1,16}$/.test(text) ? undefined : "must be digits, * and #")
  })
}

/** Refuses an emergency number as voicemail number: the router decides emergency numbers first. */
export const voicemailConflicts = ({
  country,
  voicemailNumber
}: Values<typeof sipSettings>): ReadonlyArray<SettingProblem> =>
  voicemailNumber !== undefined && isEmergency(voicemailNumber, country)
    ? [{ name: "SIGNALBOX_SIP_VOICEMAIL_NUMBER", message: "is an emergency number; choose another one" }]
    : []

export class SipSettings extends Context.Service<SipSettings, Values<typeof sipSettings>>()(
  "signalbox/sip-config/SipSettings"
) {
  static readonly layer = Layer.effect(this, Effect.map(settings(sipSettings), SipSettings.of))
}
