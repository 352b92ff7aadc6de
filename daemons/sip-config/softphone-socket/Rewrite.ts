/**
 * What differs between the client's side, `wss` behind the reverse proxy, and the switch's, plain `ws`. Pure. Only
 * these are changed: the topmost Via's transport, `received` and `rport`; `transport=` of URIs in the request line,
 * Contact, Route and Record-Route. All else goes through byte for byte. Source: RFC 7118 §5.2, where `ws` is the URI
 * transport of both and only the Via has `WSS`; clients that write `transport=wss` nevertheless get back what they
 * wrote, for they look for their own Contact in the answer.
 */
import type { Header, Message } from "#protocols/sip/Message.ts"
import { eachPiece } from "#protocols/sip/Lists.ts"
import { addressTransport, withAddressTransport, withUriTransport } from "#protocols/sip/UriTransport.ts"
import { viaTransport, withClient, withoutReceived, withTopVia, withViaTransport } from "#protocols/sip/Via.ts"

/** How the client is seen, and how it writes what the switch knows as `WS` and `ws`. */
export interface ClientSide {
  readonly address: string
  /** Undefined when a proxy stands between that does not say it. */
  readonly port: number | undefined
  readonly via: string
  readonly uri: string
}

/** Before it has said anything. Source: RFC 7118 §5.2.2, §5.2.3. */
export const clientSide = (options: {
  readonly address: string
  readonly port: number | undefined
  readonly secure: boolean
}): ClientSide => ({ address: options.address, port: options.port, via: options.secure ? "WSS" : "WS", uri: "ws" })

/** How it writes, as this message of its own shows. Only these two words are taken over, in its own case. */
export const learn = (side: ClientSide, message: Message): ClientSide => {
  if (message.start._tag !== "Request") return side
  const via = viaTransport(message) ?? ""
  const contact = message.headers.find(({ name }) => name === "contact")
  const uri = contact === undefined ? "" : (addressTransport(contact.value) ?? "")
  return { ...side, via: isOurs(via) ? via : side.via, uri: isOurs(uri) ? uri : side.uri }
}

/** From the client, as the switch expects it. */
export const toSwitch = (message: Message): Message => {
  const mapped = mapUris(message, (transport) => (isSecure(transport) ? "ws" : transport))
  return {
    ...mapped,
    headers: withTopVia(mapped.headers, (via) => {
      const plain = withViaTransport(via, (transport) => (isSecure(transport) ? "WS" : transport))
      return message.start._tag === "Request" ? withoutReceived(plain) : plain
    })
  }
}

/** From the switch, as this client expects it. */
export const toClient = (message: Message, side: ClientSide): Message => {
  const mapped = mapUris(message, (transport) => (isPlain(transport) ? side.uri : transport))
  return {
    ...mapped,
    headers: withTopVia(mapped.headers, (via) => {
      const named = withViaTransport(via, (transport) => (isPlain(transport) ? side.via : transport))
      return message.start._tag === "Response" ? withClient(named, side) : named
    })
  }
}

const isSecure = (transport: string): boolean => transport.toLowerCase() === "wss"
const isPlain = (transport: string): boolean => transport.toLowerCase() === "ws"
const isOurs = (transport: string): boolean => isSecure(transport) || isPlain(transport)

const ofAddresses: ReadonlySet<string> = new Set(["contact", "route", "record-route"])

const mapUris = (message: Message, change: (transport: string) => string): Message => ({
  ...message,
  start:
    message.start._tag === "Request"
      ? { ...message.start, uri: withUriTransport(message.start.uri, change) }
      : message.start,
  headers: message.headers.map((header): Header =>
    ofAddresses.has(header.name)
      ? { ...header, value: eachPiece(header.value, (piece) => withAddressTransport(piece, change)) }
      : header
  )
})
