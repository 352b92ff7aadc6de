/** What dns-verifier is told by its environment. */
import { mailServerSettings } from "#core/config/MailServerSettings.ts"
import { cidrProblem } from "#core/config/PlatformSettings.ts"
import type { Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"
import { serverProblem } from "#protocols/dns/ServerAddress.ts"

export const dnsVerifierSettings = {
  ...mailServerSettings,
  resolvers: Settings.list("SIGNALBOX_RESOLVERS", {
    doc: "Resolvers that say what the world sees, as addresses with an optional port (192.0.2.53 or [2001:db8::53]:5353); unset: the system's",
    default: [],
    check: serverProblem
  }),
  dnsAllowCidrs: Settings.list("SIGNALBOX_DNS_ALLOW_CIDRS", {
    doc: "Private ranges in which name servers of domains and PowerDNS servers of customers may be asked; unset: none",
    default: [],
    check: cidrProblem
  }),
  dnsPort: Settings.port("SIGNALBOX_DNS_PORT", { doc: "Port of authoritative name servers", default: 53 }),
  dnsErrorAfter: Settings.integer("SIGNALBOX_DNS_ERROR_AFTER", {
    doc: "Looks in a row that must find a verified domain elsewhere before it is an error",
    default: 3,
    min: 1,
    max: 100
  }),
  dnsMinute: Settings.integer("SIGNALBOX_DNS_MINUTE_MS", {
    doc: "Milliseconds in a minute of the background checks; 60000 but in tests",
    default: 60_000,
    min: 10,
    max: 60_000
  }),
  hetznerDnsUrl: Settings.httpAddress("SIGNALBOX_HETZNER_DNS_URL", {
    doc: "Address of Hetzner's Cloud API, with its version; unset: https://api.hetzner.cloud/v1"
  }),
  ionosDnsUrl: Settings.httpAddress("SIGNALBOX_IONOS_DNS_URL", {
    doc: "Address of IONOS's DNS API, with its version; unset: https://api.hosting.ionos.com/dns/v1"
  }),
  dnsAutoApply: Settings.flag("SIGNALBOX_DNS_AUTO_APPLY", {
    doc: "Write missing records of managed domains without asking, where nothing foreign is replaced",
    default: true
  })
}

export type DnsVerifierConfig = Values<typeof dnsVerifierSettings>
