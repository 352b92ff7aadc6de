/**
 * The public names of the mail server, for daemons that write or check DNS records.
 */
import ipaddr from "ipaddr.js"
import { stored } from "../settings/StoredSetting.ts"
import * as Settings from "./Settings.ts"

/** A host name of at least two labels, and no address: an MX may not name one (RFC 5321 §5.1). */
const hostProblem = (text: string): string | undefined =>
  text.length <= 253 &&
  /^(?=.*[a-z][a-z0-9-]*$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/.test(text)
    ? undefined
    : "must be a host name in lower case such as mail.example.org"

export const mailServerSettings = {
  mailHost: stored(
    Settings.optionalText("SIGNALBOX_MAIL_HOST", {
      doc: "Host name of the mail server: target of MX and autoconfig; unset: mail domains wait for it",
      check: hostProblem
    }),
    {
      group: "mail",
      title: { en: "Mail server", de: "Mail-Server" },
      help: {
        en:
          "Host name of the mail server, to which MX records point, such as mail.example.org. Mail domains wait for " +
          "it.",
        de:
          "Hostname des Mail-Servers, auf den MX-Einträge zeigen, zum Beispiel mail.example.org. Mail-Domains warten " +
          "darauf."
      }
    }
  ),
  platformIpv4: stored(
    Settings.optionalText("SIGNALBOX_PLATFORM_IPV4", {
      doc: "Public IPv4 address of the mail server, which SPF allows to send; unset: mail domains wait for it",
      check: (text) =>
        ipaddr.IPv4.isValidFourPartDecimal(text) ? undefined : "must be an IPv4 address such as 192.0.2.1"
    }),
    {
      group: "addresses",
      title: { en: "Public IPv4 address", de: "Öffentliche IPv4-Adresse" },
      help: {
        en: "Address that domains must point to and that SPF allows to send, such as 192.0.2.1.",
        de: "Adresse, auf die Domains zeigen müssen und die laut SPF senden darf, zum Beispiel 192.0.2.1."
      }
    }
  ),
  platformIpv6: stored(
    Settings.optionalText("SIGNALBOX_PLATFORM_IPV6", {
      doc: "Public IPv6 address of the mail server, if it sends by IPv6 too; unset: none in SPF",
      check: (text) =>
        ipaddr.IPv6.isValid(text) && !text.includes("%") ? undefined : "must be an IPv6 address such as 2001:db8::1"
    }),
    {
      group: "addresses",
      title: { en: "Public IPv6 address", de: "Öffentliche IPv6-Adresse" },
      help: {
        en: "Set it if the mail server also sends by IPv6, such as 2001:db8::1.",
        de: "Nur nötig, wenn der Mail-Server auch über IPv6 sendet, zum Beispiel 2001:db8::1."
      }
    }
  )
}
