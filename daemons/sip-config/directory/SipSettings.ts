/** Settings shared by the features of sip-config, as a service for handlers. */
import { Context, Effect, Layer, Result } from "effect"
import { type CountryCode, isSupportedCountry } from "libphonenumber-js/min"
import { settings } from "#core/config/Environment.ts"
import type { Setting, Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"

const country: Setting<CountryCode> = {
  ...Settings.text("SIGNALBOX_SIP_COUNTRY", {
    doc: "Country of telephone numbers that name none, by its two letters (ISO 3166)"
  }),
  fallback: { value: "DE", shown: "DE" },
  parse: (raw) => {
    const code = raw.trim().toUpperCase()
    return isSupportedCountry(code)
      ? Result.succeed(code)
      : Result.fail("must be the two letters of a country, such as DE")
  }
}

export const sipSettings = {
  country,
  sipHost: Settings.optionalText("SIGNALBOX_SIP_HOST", {
    doc: "Host name at which phones reach the switch; unset: the extension's SIP domain"
  }),
  tlsPort: Settings.port("SIGNALBOX_SIP_TLS_PORT", {
    doc: "Port of SIP over TLS, in phones' settings and in the firewall's; a firewall that opens 5067 has 5067 here",
    default: 5061
  }),
  voicemailNumber: Settings.optionalText("SIGNALBOX_SIP_VOICEMAIL_NUMBER", {
    doc: "What a phone dials to hear its own voicemail box; unset: *97",
    check: (text) => (/^[\d*#]{1,16}$/.test(text) ? undefined : "must be digits, * and #")
  })
}

export class SipSettings extends Context.Service<SipSettings, Values<typeof sipSettings>>()(
  "signalbox/sip-config/SipSettings"
) {
  static readonly layer = Layer.effect(this, Effect.map(settings(sipSettings), SipSettings.of))
}
