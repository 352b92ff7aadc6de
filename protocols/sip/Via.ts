/**
 * The topmost Via, read and changed in place; those behind it are other hops' and stay as they are. Pure. Source: RFC
 * 3261 §18, §20.42; RFC 3581.
 */
import { pieces } from "./Lists.ts"
import type { Header, Message } from "./Message.ts"

const protocol = /^(\s*SIP[ \t\r\n]*\/[ \t\r\n]*2\.0[ \t\r\n]*\/[ \t\r\n]*)([A-Za-z0-9]+)(?=[ \t\r\n])/i
const received = /;[ \t\r\n]*received[ \t\r\n]*=[ \t\r\n]*[^;,\s"]*/i
const rport = /;[ \t\r\n]*rport[ \t\r\n]*=[ \t\r\n]*\d+(?=[;\s]|$)/i

/** The transport it names, such as `WSS`; undefined when it is no Via of SIP 2.0. */
export const viaTransport = (message: Message): string | undefined => {
  const value = message.headers.find(({ name }) => name === "via")?.value
  return value === undefined ? undefined : protocol.exec(pieces(value)[0]!)?.[2]
}

/** Changes the first piece of the first Via header. */
export const withTopVia = (headers: ReadonlyArray<Header>, change: (via: string) => string): ReadonlyArray<Header> => {
  const at = headers.findIndex(({ name }) => name === "via")
  if (at === -1) return headers
  const [first, ...others] = pieces(headers[at]!.value)
  return headers.with(at, { ...headers[at]!, value: [change(first!), ...others].join(",") })
}

/** Changes its transport. */
export const withViaTransport = (via: string, change: (transport: string) => string): string =>
  via.replace(protocol, (_, before: string, transport: string) => before + change(transport))

/**
 * Without the address that somebody claims to have seen: only who receives the message may write it (RFC 3261 §18.2.1).
 */
export const withoutReceived = (via: string): string => via.replace(received, "")

/** Where `received` and `rport` stand, what is true of the client; a port that nobody knows goes. */
export const withClient = (
  via: string,
  client: { readonly address: string; readonly port: number | undefined }
): string =>
  via
    .replace(received, () => `;received=${client.address}`)
    .replace(rport, () => (client.port === undefined ? "" : `;rport=${client.port}`))
