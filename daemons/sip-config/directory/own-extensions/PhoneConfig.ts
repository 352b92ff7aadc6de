/** Settings that a phone needs to register as an extension. Pure. Source: interface document 2 §2.3, §4.4. */
import { Redacted } from "effect"
import type { PhoneConfigView } from "../extensions/Api.ts"
import type { Extension } from "../extensions/Store.ts"
import { isWebRtc } from "../numbers/NumberPlan.ts"

/**
 * Ports of the switch. Source: interface document 2 §2.3. The TLS port is a setting, because the document's firewall
 * list has a different one.
 */
const udpPort = 5060
const wssPort = 7443

/** Codecs in order of preference. Source: interface document 2 §2.3. */
const codecs = ["opus", "PCMA", "PCMU"]

/** Longest gathering of ICE candidates. Unit: seconds. Source: interface document 2 §2.3. */
const iceGatheringTimeout = 5

export const phoneConfig = (
  { domain, enabled, extension, id, name }: Extension,
  password: Redacted.Redacted,
  { sipHost, tlsPort }: { readonly sipHost: string | undefined; readonly tlsPort: number }
): typeof PhoneConfigView.Type => {
  const host = sipHost ?? domain
  return {
    extension_id: id,
    extension,
    display_name: name,
    enabled,
    domain,
    realm: domain,
    username: extension,
    password: Redacted.value(password),
    transports: [
      ...(isWebRtc(extension, name)
        ? []
        : [
            { transport: "udp", host, port: udpPort, srtp: "off" } as const,
            { transport: "tls", host, port: tlsPort, srtp: "optional" } as const
          ]),
      // The only transport for browsers.
      { transport: "wss", host, port: wssPort, srtp: "mandatory" }
    ],
    wss_url: `wss://${host}:${wssPort}`,
    wss_url_443: `wss://${domain}/sip`,
    codecs,
    ice_gathering_timeout: iceGatheringTimeout,
    // No STUN server is needed, because the switch has a public address.
    stun_servers: []
  }
}
