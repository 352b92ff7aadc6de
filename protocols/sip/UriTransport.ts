/**
 * The `transport` parameter of SIP URIs, read and changed in place. Pure. Source: RFC 3261 §19.1.1; RFC 7118 §5.2.3
 * (`ws`).
 */
import { bracket, pieces } from "./Lists.ts"

/** A name and value of which one more parameter, the URI's headers or its end follows. */
const parameter = /(;[ \t]*transport[ \t]*=[ \t]*)([A-Za-z0-9]+)(?=[ \t\r\n]*(?:[;?]|$))/i

/** The transport that a bare URI names; undefined when none. */
export const uriTransport = (uri: string): string | undefined => parameter.exec(parametersOf(uri)[1])?.[2]

/** Changes it, when it is there. */
export const withUriTransport = (uri: string, change: (transport: string) => string): string => {
  const [before, parameters, after] = parametersOf(uri)
  return (
    before + parameters.replace(parameter, (_, name: string, transport: string) => name + change(transport)) + after
  )
}

/** The transport of the first URI in a header of addresses (Contact, Route, Record-Route). */
export const addressTransport = (value: string): string | undefined => uriTransport(addressOf(pieces(value)[0]!)[1])

/** Changes the transport in one address, `"Name" <sip:…>;x=y` or `sip:…`. */
export const withAddressTransport = (piece: string, change: (transport: string) => string): string => {
  const [before, uri, after] = addressOf(piece)
  return before + withUriTransport(uri, change) + after
}

/** What stands before the URI, the URI, what follows it. A bracket that is never closed holds no URI. */
const addressOf = (piece: string): readonly [string, string, string] => {
  const open = bracket(piece)
  if (open === -1) return ["", piece, ""]
  const close = piece.indexOf(">", open)
  return close === -1 ? [piece, "", ""] : [piece.slice(0, open + 1), piece.slice(open + 1, close), piece.slice(close)]
}

/** Up to the host, its parameters, the URI's headers: a user part may hold `;`, so may a header of the URI. */
const parametersOf = (uri: string): readonly [string, string, string] => {
  const host = uri.lastIndexOf("@") + 1
  const semicolon = uri.indexOf(";", host)
  if (semicolon === -1) return [uri, "", ""]
  const question = uri.indexOf("?", host)
  if (question !== -1 && question < semicolon) return [uri, "", ""]
  return question === -1
    ? [uri.slice(0, semicolon), uri.slice(semicolon), ""]
    : [uri.slice(0, semicolon), uri.slice(semicolon, question), uri.slice(question)]
}
