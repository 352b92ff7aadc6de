/**
 * The public names of the mail server, for daemons that write or check DNS records.
 */
import ipaddr from "ipaddr.js"
import * as Settings from "./Settings.ts"

/** A host name of at least two labels, and no address: an MX may not name one (RFC 5321 §5.1). */
const hostProblem = (text: string): string | undefined =>
  text.length <= 253 &&
  /^(?=.*[a-z][a-z0-9-]*$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/.test(text)
    ? undefined
    : "must be a host name in lower case such as mail.example.org"

export const mailServerSettings = {
  mailHost: Settings.optionalText("SIGNALBOX_MAIL_HOST", {
    doc: "Host name of the mail server: target of MX and autoconfig; unset: mail domains wait for it",
    check: hostProblem
  }),
  platformIpv4: Settings.optionalText("SIGNALBOX_PLATFORM_IPV4", {
    doc: "Public IPv4 address of the mail server, which SPF allows to send; unset: mail domains wait for it",
    check: (text) =>
      ipaddr.IPv4.isValidFourPartDecimal(text) ? undefined : "must be an IPv4 address such as 192.0.2.1"
  }),
  platformIpv6: Settings.optionalText("SIGNALBOX_PLATFORM_IPV6", {
    doc: "Public IPv6 address of the mail server, if it sends by IPv6 too; unset: none in SPF",
    check: (text) =>
      ipaddr.IPv6.isValid(text) && !text.includes("%") ? undefined : "must be an IPv6 address such as 2001:db8::1"
  })
}
