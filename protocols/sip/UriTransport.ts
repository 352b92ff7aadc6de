/** Reads and replaces the `transport` parameter of SIP URIs. Pure. Source: RFC 3261 §19.1.1; RFC 7118 §5.2.3 (`ws`). */
import { bracket, pieces } from "./Lists.ts"

/** The transport parameter, followed by another parameter, the URI's headers or the end. */
const parameter = /(;[ \t]*transport[ \t]*=[ \t]*)([A-Za-z0-9]+)(?=[ \t\r\n]*(?:[;?]|$))/i

/** The transport in a URI without brackets; undefined when it has none. */
export const uriTransport = (uri: string): string | undefined => parameter.exec(parametersOf(uri)[1])?.[2]

/** Replaces the transport parameter of a URI, if present. */
export const withUriTransport = (uri: string, change: (transport: string) => string): string => {
  const [before, parameters, after] = parametersOf(uri)
  return (
    before + parameters.replace(parameter, (_, name: string, transport: string) => name + change(transport)) + after
  )
}

/** The transport of the first URI in a header of addresses (Contact, Route, Record-Route). */
export const addressTransport = (value: string): string | undefined => uriTransport(addressOf(pieces(value)[0]!)[1])

/** Replaces the transport in one address, `"Name" <sip:…>;x=y` or `sip:…`. */
export const withAddressTransport = (piece: string, change: (transport: string) => string): string => {
  const [before, uri, after] = addressOf(piece)
  return before + withUriTransport(uri, change) + after
}

/**
 * Splits an address into the text before the URI, the URI, and the text after it. With an unclosed bracket the URI is
 * empty.
 */
const addressOf = (piece: string): readonly [string, string, string] => {
  const open = bracket(piece)
  if (open === -1) return ["", piece, ""]
  const close = piece.indexOf(">", open)
  return close === -1 ? [piece, "", ""] : [piece.slice(0, open + 1), piece.slice(open + 1, close), piece.slice(close)]
}

/**
 * Splits a URI into the part up to the host, the parameters, and the rest. The user part and the URI headers can also
 * contain `;`.
 */
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
