/**
 * Configuration files of Snom desk phones (XML, firmware 8.7 and later). Pure. Source: Snom Service Hub, "XML settings"
 * and the pages of the settings `user_*`.
 */
import type { SipAccount } from "./Accounts.ts"
import { type Node, write } from "./XmlText.ts"

export const mediaType = "text/xml; charset=utf-8"

/**
 * The configuration file of a phone. It sets identity 1. Its settings are read-only at the phone (`perm="R"`); all
 * other settings can be changed there.
 */
export const snom = (sip: SipAccount): string => {
  const identity: Readonly<Record<string, string>> = {
    user_active: "on",
    user_realname: sip.displayName,
    user_name: sip.extension,
    user_pname: sip.authName,
    user_pass: sip.password,
    user_host: sip.domain,
    user_outbound: `sip:${sip.server.host}:${sip.server.port};transport=${sip.transport}`,
    user_srtp: sip.srtp === "off" ? "off" : "on",
    user_savp: sip.srtp,
    user_idle_text: sip.displayName
  }
  const settings = Object.entries(identity).map(([name, content]): Node => ({
    name,
    attributes: { idx: "1", perm: "R" },
    content
  }))
  return write({ name: "settings", content: [{ name: "phone-settings", content: settings }] })
}
