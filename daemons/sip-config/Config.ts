/** What sip-config is told by its environment. */
import type { Values } from "#core/Settings.ts"
import * as Settings from "#core/Settings.ts"

export const sipConfigSettings = {
  sipHost: Settings.optionalText("SIGNALBOX_SIP_HOST", { doc: "Host name at which phones reach the switch; unset: the extension's SIP domain" }),
  tlsPort: Settings.port("SIGNALBOX_SIP_TLS_PORT", {
    doc: "Port of SIP over TLS, in phones' settings and in the firewall's; a firewall that opens 5067 has 5067 here",
    default: 5061
  })
}

export type SipConfigConfig = Values<typeof sipConfigSettings>
