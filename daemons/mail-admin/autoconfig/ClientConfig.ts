/**
 * The document by which mail programs set themselves up. Pure. Nothing of a request gets into it: the address is a
 * placeholder that the program fills in. Source: wiki.mozilla.org, Thunderbird:Autoconfiguration:ConfigFileFormat.
 */
import { DOMImplementation, type Element, XMLSerializer } from "@xmldom/xmldom"

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
export const clientConfig = (domain: string, host: string): string => {
  const document = new DOMImplementation().createDocument(null, "clientConfig")
  const root = document.documentElement!
  const add = (parent: Element, name: string, text?: string): Element => {
    const child = document.createElement(name)
    if (text !== undefined) child.appendChild(document.createTextNode(text))
    parent.appendChild(child)
    return child
  }
  root.setAttribute("version", "1.1")
  const provider = add(root, "emailProvider")
  provider.setAttribute("id", domain)
  add(provider, "domain", domain)
  add(provider, "displayName", `${domain} Mail`)
  add(provider, "displayShortName", domain)
  for (const { element, port, socketType, type } of servers) {
    const server = add(provider, element)
    server.setAttribute("type", type)
    add(server, "hostname", host)
    add(server, "port", String(port))
    add(server, "socketType", socketType)
    add(server, "username", "%EMAILADDRESS%")
    for (const name of authentications) add(server, "authentication", name)
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(document)}\n`
}
