/**
 * Reads and changes the topmost Via. The Vias below it belong to other hops and stay unchanged. Pure. Source: RFC 3261
 * §18, §20.42; RFC 3581.
 */
import { pieces } from "./Lists.ts"
import type { Header, Message } from "./Message.ts"

const protocol = /^(\s*SIP[ \t\r\n]*\/[ \t\r\n]*2\.0[ \t\r\n]*\/[ \t\r\n]*)([A-Za-z0-9]+)(?=[ \t\r\n])/i
const received = /;[ \t\r\n]*received[ \t\r\n]*=[ \t\r\n]*[^;,\s"]*/i
const rport = /;[ \t\r\n]*rport[ \t\r\n]*=[ \t\r\n]*\d+(?=[;\s]|$)/i

/** Transport of the topmost Via, such as `WSS`; undefined when it is not a Via of SIP 2.0. */
export const viaTransport = (message: Message): string | undefined => {
  const value = message.headers.find(({ name }) => name === "via")?.value
  return value === undefined ? undefined : protocol.exec(pieces(value)[0]!)?.[2]
}

/** Applies `change` to the topmost Via, the first item of the first Via header. */
export const withTopVia = (headers: ReadonlyArray<Header>, change: (via: string) => string): ReadonlyArray<Header> => {
  const at = headers.findIndex(({ name }) => name === "via")
  if (at === -1) return headers
  const [first, ...others] = pieces(headers[at]!.value)
  return headers.with(at, { ...headers[at]!, value: [change(first!), ...others].join(",") })
}

/** Replaces the transport of a Via. */
export const withViaTransport = (via: string, change: (transport: string) => string): string =>
  via.replace(protocol, (_, before: string, transport: string) => before + change(transport))

/** Removes `received`, which may be forged: only the receiver of a message may add it (RFC 3261 §18.2.1). */
export const withoutReceived = (via: string): string => via.replace(received, "")

/** Replaces existing `received` and `rport` with the client's address and port. An unknown port removes `rport`. */
export const withClient = (
  via: string,
  client: { readonly address: string; readonly port: number | undefined }
): string =>
  via
    .replace(received, () => `;received=${client.address}`)
    .replace(rport, () => (client.port === undefined ? "" : `;rport=${client.port}`))
