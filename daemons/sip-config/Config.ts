/** What sip-config is told by its environment. */
import { Result } from "effect"
import { type CountryCode, isSupportedCountry } from "libphonenumber-js/min"
import type { Setting, Values } from "#core/Settings.ts"
import * as Settings from "#core/Settings.ts"

const country: Setting<CountryCode> = {
  ...Settings.text("SIGNALBOX_SIP_COUNTRY", { doc: "Country of telephone numbers that name none, by its two letters (ISO 3166)" }),
  fallback: { value: "DE", shown: "DE" },
  parse: (raw) => {
    const code = raw.trim().toUpperCase()
    return isSupportedCountry(code) ? Result.succeed(code) : Result.fail("must be the two letters of a country, such as DE")
  }
}

export const sipConfigSettings = {
  country,
  sipHost: Settings.optionalText("SIGNALBOX_SIP_HOST", { doc: "Host name at which phones reach the switch; unset: the extension's SIP domain" }),
  tlsPort: Settings.port("SIGNALBOX_SIP_TLS_PORT", {
    doc: "Port of SIP over TLS, in phones' settings and in the firewall's; a firewall that opens 5067 has 5067 here",
    default: 5061
  })
}

export type SipConfigConfig = Values<typeof sipConfigSettings>
