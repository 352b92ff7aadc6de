/** Settings of telephone numbers that several daemons share. */
import { Result } from "effect"
import { type CountryCode, isSupportedCountry } from "libphonenumber-js/min"
import * as Settings from "./Settings.ts"

/** Country of numbers without a country code. */
export const country: Settings.Setting<CountryCode> = {
  ...Settings.text("SIGNALBOX_SIP_COUNTRY", {
    doc: "Country of telephone numbers without a country code (two letters, ISO 3166)"
  }),
  fallback: { value: "DE", shown: "DE" },
  parse: (raw) => {
    const code = raw.trim().toUpperCase()
    return isSupportedCountry(code)
      ? Result.succeed(code)
      : Result.fail("must be a two-letter country code, such as DE")
  }
}

/** Host name of the switch, for phones and as one of the provider's own names. */
export const sipHost = Settings.optionalText("SIGNALBOX_SIP_HOST", {
  doc: "Host name of the switch in phone settings; unset: the SIP domain of the extension"
})
