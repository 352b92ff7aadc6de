/**
 * The configuration document for mail programs. Pure. It contains nothing of the request: the address is a placeholder
 * that the program fills in. Source: wiki.mozilla.org, Thunderbird:Autoconfiguration:ConfigFileFormat.
 */
import { element, write } from "#core/html/Xml.ts"

/**
 * Servers for reading and submitting mail, in the order in which programs try them. Source: interface document 1 §2.2;
 * RFC 8314 §3, RFC 6409 §3.
 */
const servers = [
  { element: "incomingServer", type: "imap", port: 993, socketType: "SSL" },
  { element: "outgoingServer", type: "smtp", port: 587, socketType: "STARTTLS" },
  { element: "outgoingServer", type: "smtp", port: 465, socketType: "SSL" }
] as const

/**
 * Passwords first: programs support OAuth2 only for large providers whose token endpoints they know, and skip it
 * otherwise.
 */
const authentications = ["password-cleartext", "OAuth2"] as const

/** Configuration for mailboxes of `domain` on the mail server `host`. */
export const clientConfig = (domain: string, host: string): string =>
  write(
    element(
      "clientConfig",
      { version: "1.1" },
      element(
        "emailProvider",
        { id: domain },
        element("domain", {}, domain),
        element("displayName", {}, `${domain} Mail`),
        element("displayShortName", {}, domain),
        ...servers.map(({ element: name, port, socketType, type }) =>
          element(
            name,
            { type },
            element("hostname", {}, host),
            element("port", {}, String(port)),
            element("socketType", {}, socketType),
            element("username", {}, "%EMAILADDRESS%"),
            ...authentications.map((authentication) => element("authentication", {}, authentication))
          )
        )
      )
    )
  )
