/** Settings that several features read. */
import { cidrProblem } from "#core/config/PlatformSettings.ts"
import * as Settings from "#core/config/Settings.ts"

export const dnsAllowCidrs = Settings.list("SIGNALBOX_DNS_ALLOW_CIDRS", {
  doc: "Private ranges in which name servers of domains and PowerDNS servers of customers may be asked; unset: none",
  default: [],
  check: cidrProblem
})

/** Length of a minute in the background checks. Unit: milliseconds. */
export const dnsMinute = Settings.integer("SIGNALBOX_DNS_MINUTE_MS", {
  doc: "Milliseconds in a minute of the background checks; only tests change it",
  default: 60_000,
  min: 10,
  max: 60_000
})
