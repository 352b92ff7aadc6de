/** What sip-config is told by its environment. */
import { Result } from "effect"
import { type CountryCode, isSupportedCountry } from "libphonenumber-js/min"
import { switchSettings } from "#core/config/SwitchSettings.ts"
import { cidrProblem } from "#core/config/PlatformSettings.ts"
import type { Setting, Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"
import { hostName } from "./Names.ts"

/** Loopback and private networks. Source: RFC 1918 §3, RFC 4193 §3. */
const privateRanges = ["127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]

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

export const sipConfigSettings = {
  ...switchSettings,
  country,
  callRetention: Settings.integer("SIGNALBOX_CALL_RETENTION_DAYS", {
    doc: "How long calls are kept for those who look who called",
    unit: "days",
    default: 365,
    min: 1,
    max: 3650
  }),
  sipBanExempt: Settings.list("SIGNALBOX_SIP_BAN_EXEMPT_CIDRS", {
    doc: "Ranges that are never banned for wrong passwords of phones, such as an office's; loopback never is",
    default: [],
    check: cidrProblem
  }),
  sipHost: Settings.optionalText("SIGNALBOX_SIP_HOST", {
    doc: "Host name at which phones reach the switch; unset: the extension's SIP domain"
  }),
  tlsPort: Settings.port("SIGNALBOX_SIP_TLS_PORT", {
    doc: "Port of SIP over TLS, in phones' settings and in the firewall's; a firewall that opens 5067 has 5067 here",
    default: 5061
  }),
  switchRanges: Settings.list("SIGNALBOX_SWITCH_CIDRS", {
    doc: "From where the telephone switch may ask what it is told, besides naming itself",
    default: privateRanges,
    check: cidrProblem
  }),
  switchStaleFor: Settings.integer("SIGNALBOX_SWITCH_STALE_FOR", {
    doc: "How long the switch is told what was known last while the database is away; after it nobody can register or call",
    unit: "seconds",
    default: 3600,
    min: 1,
    max: 7 * 86_400
  }),
  sipWsUrl: Settings.optionalText("SIGNALBOX_SIP_WS_URL", {
    doc: "Where the switch speaks SIP over WebSocket, such as ws://127.0.0.1:5066, for phones that come through /sip; unset: nobody can",
    check: (text) => {
      const url = URL.parse(text)
      if (url === null || (url.protocol !== "ws:" && url.protocol !== "wss:") || url.hash !== "")
        return "must be a ws or wss address"
      return url.username === "" && url.password === "" ? undefined : "must not carry a user or password"
    }
  }),
  sipWsOrigins: Settings.list("SIGNALBOX_SIP_WS_ORIGINS", {
    doc: "Hosts whose pages may connect to /sip, *.example.org for those below one; empty: pages of the host that is asked",
    default: [],
    check: (item) =>
      hostName(item.replace(/^\*\./, "")) === item.replace(/^\*\./, "")
        ? undefined
        : `${item} is not a host name in lower case, such as www.example.org`
  }),
  voicemailNumber: Settings.optionalText("SIGNALBOX_SIP_VOICEMAIL_NUMBER", {
    doc: "What a phone dials to hear its own voicemail box; unset: *97",
    check: (text) => (/^[\d*#]{1,16}$/.test(text) ? undefined : "must be digits, * and #")
  })
}

export type SipConfigConfig = Values<typeof sipConfigSettings>
