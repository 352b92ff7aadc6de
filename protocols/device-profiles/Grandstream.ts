/**
 * Configuration files of Grandstream desk phones (`cfg<mac>.xml`, XML version 1 with P values). Pure. Source:
 * Grandstream SIP Device Provisioning Guide and the configuration templates of GXP and GRP phones.
 */
import type { SipAccount } from "./Accounts.ts"
import { type Node, write } from "./XmlText.ts"

export const mediaType = "text/xml; charset=utf-8"

/** Values of P130, the SIP transport. */
const transports = { udp: "0", tcp: "1", tls: "2" } as const

/** Values of P183, the SRTP mode. */
const srtps = { off: "0", optional: "1", mandatory: "2" } as const

/** The configuration file of a phone. It sets account 1. */
export const grandstream = (sip: SipAccount): string => {
  const values: Readonly<Record<string, string>> = {
    /** Account active. */
    P271: "1",
    /** Name of the account on the display. */
    P270: sip.extension,
    /** Name that others see. */
    P3: sip.displayName,
    /** SIP server. */
    P47: sip.domain,
    /** Outbound proxy. */
    P48: `${sip.server.host}:${sip.server.port}`,
    /** SIP user id. */
    P35: sip.extension,
    /** Authentication id. */
    P36: sip.authName,
    /** Authentication password. */
    P34: sip.password,
    /** SIP transport. */
    P130: transports[sip.transport],
    /** SRTP mode. */
    P183: srtps[sip.srtp]
  }
  const config = Object.entries(values).map(([name, content]): Node => ({ name, content }))
  return write({
    name: "gs_provision",
    attributes: { version: "1" },
    content: [{ name: "config", attributes: { version: "1" }, content: config }]
  })
}
