/**
 * Remote configuration of the softphone Linphone, which reads the file's address from a QR code. Pure. Source:
 * wiki.linphone.org, "Remote provisioning", and lpconfig.xsd of liblinphone.
 */
import type { SipAccount } from "./Accounts.ts"
import { oneLine } from "./Text.ts"
import { type Node, write } from "./XmlText.ts"

export const mediaType = "text/xml; charset=utf-8"

const namespace = "http://www.linphone.org/xsds/lpconfig.xsd"

/** Values of `media_encryption`. */
const encryptions = { off: "none", optional: "srtp", mandatory: "srtp" } as const

/**
 * The configuration file with one account. `transient_provisioning`: the app loads the file once and not at each start.
 */
export const linphone = (sip: SipAccount): string => {
  const address = `sip:${userPart(sip.extension)}@${sip.domain}`
  const section = (name: string, entries: Readonly<Record<string, string>>): Node => ({
    name: "section",
    attributes: { name },
    content: Object.entries(entries).map(([entry, content]): Node => ({
      name: "entry",
      attributes: { name: entry, overwrite: "true" },
      content
    }))
  })
  return write(
    {
      name: "config",
      content: [
        section("misc", { transient_provisioning: "1" }),
        section("sip", {
          default_proxy: "0",
          media_encryption: encryptions[sip.srtp],
          media_encryption_mandatory: sip.srtp === "mandatory" ? "1" : "0"
        }),
        section("auth_info_0", {
          username: sip.extension,
          userid: sip.authName,
          passwd: sip.password,
          realm: sip.domain,
          domain: sip.domain
        }),
        section("proxy_0", {
          reg_proxy: `<sip:${sip.server.host}:${sip.server.port};transport=${sip.transport}>`,
          reg_identity: `"${quoted(sip.displayName)}" <${address}>`,
          reg_sendregister: "1",
          quality_reporting_enabled: "0"
        })
      ]
    },
    namespace
  )
}

/** Longest name in an address. Unit: UTF-16 units. Reason: with escapes and address it stays below `maxValue`. */
const maxName = 200

/** Inside of a quoted string. Source: RFC 3261 §25.1. */
const quoted = (text: string): string => oneLine(text).slice(0, maxName).toWellFormed().replace(/["\\]/g, "\\$&")

/** User part of a SIP address. Source: RFC 3261 §25.1. */
const userPart = (text: string): string => encodeURIComponent(text)
