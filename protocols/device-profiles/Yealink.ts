/**
 * Configuration files of Yealink desk phones (`<MAC>.cfg`, firmware 80 and later). Pure. Each line has one setting, and
 * a line break would end a value, so values are reduced to one line. Source: Yealink SIP IP Phones Auto Provisioning
 * Guide and Administrator's Guide.
 */
import type { SipAccount } from "./Accounts.ts"
import { oneLine } from "./Text.ts"

/** Media type of the file; phones ignore it. */
export const mediaType = "text/plain; charset=utf-8"

/** First line of each file; a phone ignores a file without it. */
const header = "#!version:1.0.0.1"

/** Values of `transport_type`; 3 would be NAPTR. */
const transports = { udp: 0, tcp: 1, tls: 2 } as const

/** Values of `srtp_encryption`. */
const srtps = { off: 0, optional: 1, mandatory: 2 } as const

/** Name of the file without an account that all phones of a model load first, such as `y000000000044.cfg`. */
export const commonFile = /^y[0-9]{12}\.cfg$/

/** A file without settings. */
export const empty = `${header}\n`

/** The configuration file of a phone. It sets account 1, which phones show as their first line. */
export const yealink = (sip: SipAccount): string => {
  const settings = {
    enable: 1,
    label: sip.extension,
    display_name: sip.displayName,
    user_name: sip.extension,
    auth_name: sip.authName,
    password: sip.password,
    "sip_server.1.address": sip.domain,
    "sip_server.1.port": sip.server.port,
    "sip_server.1.transport_type": transports[sip.transport],
    outbound_proxy_enable: 1,
    "outbound_proxy.1.address": sip.server.host,
    "outbound_proxy.1.port": sip.server.port,
    srtp_encryption: srtps[sip.srtp]
  }
  const lines = Object.entries(settings).map(([name, value]) => `account.1.${name} = ${oneLine(String(value))}`)
  return [header, ...lines, ""].join("\n")
}
