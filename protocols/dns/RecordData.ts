/**
 * Converts record data on the wire to canonical content (RecordContent.ts). Pure; uses dns-packet to decode. Truncated
 * data throws errors such as `RangeError`, which Message.ts catches.
 */
import packet from "dns-packet"
import { ipv4Text, ipv6Text } from "./AddressText.ts"
import { txtText } from "./TxtText.ts"

/** Numbers of the record types that are queried or decoded. Source: IANA DNS parameters. */
export const typeNumbers = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  DS: 43,
  CAA: 257
} as const
export type QuestionType = keyof typeof typeNumbers

/** `type` as a query type; undefined when it is never queried. */
export const questionType = (type: string): QuestionType | undefined =>
  Object.hasOwn(typeNumbers, type) ? (type as QuestionType) : undefined

/**
 * Codecs of single records, which dns-packet has but does not declare in its types. Each decodes from the data length
 * field on.
 */
interface Codec<Data> {
  readonly decode: (buffer: Buffer, offset: number) => Data
}
const parts = packet as unknown as {
  readonly name: Codec<string> & { readonly decode: { readonly bytes: number } }
  readonly record: (type: string) => Codec<unknown>
}
const codec = <Data>(type: QuestionType): Codec<Data> => parts.record(type) as Codec<Data>
const host = codec<string>("NS")
const soa = codec<{ readonly mname: string }>("SOA")
const mx = codec<{ readonly preference: number; readonly exchange: string }>("MX")
const txt = codec<ReadonlyArray<Buffer>>("TXT")
const srv = codec<{
  readonly priority: number
  readonly weight: number
  readonly port: number
  readonly target: string
}>("SRV")
const caa = codec<{ readonly flags: number; readonly tag: string; readonly value: string }>("CAA")

/** Decodes the name at `offset` in lower case, without a trailing dot; the root is the empty text. */
export const readName = (buffer: Buffer, offset: number): { readonly name: string; readonly end: number } => {
  const name = shown(parts.name.decode(buffer, offset))
  return { name, end: offset + parts.name.decode.bytes }
}

/**
 * Content of a record. `offset`: of the two-octet length field; `end`: end of the data. Empty for types that are never
 * queried.
 */
export const readContent = (type: number, message: Buffer, offset: number, end: number): string => {
  // Most records are addresses, so they are decoded directly. Besides, dns-packet shortens the first run of zeros
  // instead of the longest.
  if (type === typeNumbers.A) return ipv4Text(message, sized(message, offset, 4))
  if (type === typeNumbers.AAAA) return ipv6Text(message, sized(message, offset, 16))
  return readOther(type, message.subarray(0, end), offset)
}

/** Start of the data, which must have exactly `octets` octets. */
const sized = (message: Buffer, offset: number, octets: number): number => {
  if (message.readUInt16BE(offset) !== octets) throw new RangeError("an address of another length")
  return offset + 2
}

/** Content of the record whose data ends with `buffer`. */
const readOther = (type: number, buffer: Buffer, offset: number): string => {
  switch (type) {
    case typeNumbers.NS:
    case typeNumbers.CNAME:
      return shown(host.decode(buffer, offset))
    case typeNumbers.MX: {
      const { exchange, preference } = mx.decode(buffer, offset)
      return `${preference} ${shown(exchange) || "."}`
    }
    case typeNumbers.TXT:
      return txtText(txt.decode(buffer, offset))
    case typeNumbers.SRV: {
      const { port, priority, target, weight } = srv.decode(buffer, offset)
      return `${priority} ${weight} ${port} ${shown(target) || "."}`
    }
    case typeNumbers.CAA: {
      const { flags, tag, value } = caa.decode(buffer, offset)
      return `${flags} ${visible(tag).toLowerCase()} "${visible(value)}"`
    }
    case typeNumbers.SOA:
      return shown(soa.decode(buffer, offset).mname)
    default:
      return ""
  }
}

/** dns-packet writes the root as a dot. Servers may answer in upper or lower case. */
const shown = (name: string): string => (name === "." ? "" : visible(name.toLowerCase()))

/**
 * Names and tags may hold any octet. Octets that no stored name has become question marks, so the result equals no
 * stored name and is valid JSON.
 */
const visible = (text: string): string => (odd.test(text) ? text.replace(oddEach, "?") : text)
const odd = /[^\x20-\x7e]|["\\]/
const oddEach = /[^\x20-\x7e]|["\\]/g
