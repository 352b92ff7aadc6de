import type { Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"
import { dnsAllowCidrs } from "../domain-store/Settings.ts"

export const providerSettings = {
  dnsAllowCidrs,
  hetznerDnsUrl: Settings.httpAddress("SIGNALBOX_HETZNER_DNS_URL", {
    doc: "Address of Hetzner's Cloud API, with its version; unset: https://api.hetzner.cloud/v1"
  }),
  ionosDnsUrl: Settings.httpAddress("SIGNALBOX_IONOS_DNS_URL", {
    doc: "Address of IONOS's DNS API, with its version; unset: https://api.hosting.ionos.com/dns/v1"
  })
}

export type ProviderConfig = Values<typeof providerSettings>
