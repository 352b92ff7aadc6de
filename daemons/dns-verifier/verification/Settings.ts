import { mailServerSettings } from "#core/config/MailServerSettings.ts"
import type { Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"
import { stored } from "#core/settings/StoredSetting.ts"
import { serverProblem } from "#protocols/dns/ServerAddress.ts"
import { dnsAllowCidrs, dnsMinute } from "../domain-store/Settings.ts"

export const verificationSettings = {
  ...mailServerSettings,
  resolvers: stored(
    Settings.list("SIGNALBOX_RESOLVERS", {
      doc:
        "Resolvers that show the public view, as addresses with an optional port " +
        "(192.0.2.53 or [2001:db8::53]:5353); unset: the system's",
      default: [],
      check: serverProblem
    }),
    {
      group: "resolvers",
      title: { en: "DNS resolvers", de: "DNS-Resolver" },
      help: {
        en:
          "Resolvers that show the public view of domains, separated by commas, such as 192.0.2.53 or " +
          "[2001:db8::53]:5353. Without them: the system's.",
        de:
          "Resolver, die die öffentliche Sicht auf Domains zeigen, durch Kommas getrennt, zum Beispiel 192.0.2.53 " +
          "oder [2001:db8::53]:5353. Ohne Angabe: die des Systems."
      }
    }
  ),
  dnsAllowCidrs,
  dnsPort: Settings.port("SIGNALBOX_DNS_PORT", { doc: "Port of authoritative name servers", default: 53 }),
  dnsErrorAfter: Settings.integer("SIGNALBOX_DNS_ERROR_AFTER", {
    doc: "Consecutive checks that must find a verified domain elsewhere before its status becomes error",
    default: 3,
    min: 1,
    max: 100
  }),
  dnsStrict: Settings.flag("SIGNALBOX_DNS_STRICT", {
    doc: "Whether a domain with further addresses beside the platform's counts as pointing elsewhere",
    default: false
  }),
  dnsMinute
}

export type VerificationConfig = Values<typeof verificationSettings>
