import { mailServerSettings } from "#core/config/MailServerSettings.ts"
import type { Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"
import { dnsMinute } from "../domain-store/Settings.ts"

export const zoneSettings = {
  platformIpv4: mailServerSettings.platformIpv4,
  platformIpv6: mailServerSettings.platformIpv6,
  dnsMinute,
  dnsAutoApply: Settings.flag("SIGNALBOX_DNS_AUTO_APPLY", {
    doc: "Write missing records of managed domains automatically, if no record of a third party is replaced",
    default: true
  }),
  dnsSettle: Settings.integer("SIGNALBOX_DNS_SETTLE_MS", {
    doc: "Milliseconds that an automatic plan waits for further changes of the same domain before it is applied",
    default: 2_000,
    min: 0,
    max: 60_000
  })
}

export type ZoneConfig = Values<typeof zoneSettings>
