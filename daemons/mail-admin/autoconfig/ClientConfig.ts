/**
 * The document by which mail programs set themselves up. Pure. Nothing of a request gets into it: the address is a
 * placeholder that the program fills in. Source: wiki.mozilla.org, Thunderbird:Autoconfiguration:ConfigFileFormat.
 */
import { element, write } from "#core/html/Xml.ts"

/**
 * Where mail is read and handed in, in the order in which programs try. Source: interface document 1 §2.2; RFC 8314 §3,
 * RFC 6409 §3.
 */
const servers = [
  { element: "incomingServer", type: "imap", port: 993, socketType: "SSL" },
  { element: "outgoingServer", type: "smtp", port: 587, socketType: "STARTTLS" },
  { element: "outgoingServer", type: "smtp", port: 465, socketType: "SSL" }
] as const

/** Passwords first: programs know the token endpoints of large providers only, and pass over what they do not know. */
const authentications = ["password-cleartext", "OAuth2"] as const

/** For a domain's mailboxes on `host`. */
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
