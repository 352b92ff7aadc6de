/**
 * Rewrites messages between the client (`wss` behind the reverse proxy) and the switch (plain `ws`). Pure. Changes only
 * the transport, `received` and `rport` of the topmost Via, and `transport=` in the URIs of the request line, Contact,
 * Route and Record-Route. Everything else stays byte for byte. Source: RFC 7118 §5.2, where URIs always say `ws` and
 * only the Via says `WSS`. Some clients write `transport=wss` anyway. They get their own spelling back, because they
 * search for their own Contact in responses.
 */
import type { Header, Message } from "#protocols/sip/Message.ts"
import { eachPiece } from "#protocols/sip/Lists.ts"
import { addressTransport, withAddressTransport, withUriTransport } from "#protocols/sip/UriTransport.ts"
import { viaTransport, withClient, withoutReceived, withTopVia, withViaTransport } from "#protocols/sip/Via.ts"

/** Address of the client, and its spellings of the transports that the switch calls `WS` and `ws`. */
export interface ClientSide {
  readonly address: string
  /** Undefined behind a proxy that does not report the port. */
  readonly port: number | undefined
  readonly via: string
  readonly uri: string
}

/** Defaults before the client's first message. Source: RFC 7118 §5.2.2, §5.2.3. */
export const clientSide = (options: {
  readonly address: string
  readonly port: number | undefined
  readonly secure: boolean
}): ClientSide => ({ address: options.address, port: options.port, via: options.secure ? "WSS" : "WS", uri: "ws" })

/** Learns the client's spellings from its own request. Only `ws` and `wss` are accepted, in any letter case. */
export const learn = (side: ClientSide, message: Message): ClientSide => {
  if (message.start._tag !== "Request") return side
  const via = viaTransport(message) ?? ""
  const contact = message.headers.find(({ name }) => name === "contact")
  const uri = contact === undefined ? "" : (addressTransport(contact.value) ?? "")
  return { ...side, via: isOurs(via) ? via : side.via, uri: isOurs(uri) ? uri : side.uri }
}

/** Rewrites a message from the client for the switch. */
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

/** Rewrites a message from the switch for the client. */
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
