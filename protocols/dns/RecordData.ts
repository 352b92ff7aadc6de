/**
 * The data of a record on the wire as its canonical content (RecordContent.ts). Pure; decoding is dns-packet's. Total
 * but for `RangeError`s and the like on data that is cut short, which Message.ts catches.
 */
import packet from "dns-packet"
import { ipv4Text, ipv6Text } from "./AddressText.ts"
import { txtText } from "./TxtText.ts"

/** Numbers of the types that are asked for and read. Source: IANA DNS parameters. */
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

/** Undefined: a type that is not asked for here. */
export const questionType = (type: string): QuestionType | undefined =>
  Object.hasOwn(typeNumbers, type) ? (type as QuestionType) : undefined

/**
 * What dns-packet has and its types do not tell: the codecs of single records. Each reads from the length of the data
 * on.
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

/** A name at `offset` in lower case, without a trailing dot; the root is the empty text. */
export const readName = (buffer: Buffer, offset: number): { readonly name: string; readonly end: number } => {
  const name = shown(parts.name.decode(buffer, offset))
  return { name, end: offset + parts.name.decode.bytes }
}

/**
 * `offset`: of the two octets that say how long the data is; `end`: of the data. Empty for types that are not asked
 * for.
 */
export const readContent = (type: number, message: Buffer, offset: number, end: number): string => {
  // Addresses are nearly all there is, and read where they stand; dns-packet leaves out the first run of zeros, not the
  // longest.
  if (type === typeNumbers.A) return ipv4Text(message, sized(message, offset, 4))
  if (type === typeNumbers.AAAA) return ipv6Text(message, sized(message, offset, 16))
  return readOther(type, message.subarray(0, end), offset)
}

/** Where the data begins, of which there must be so many octets. */
const sized = (message: Buffer, offset: number, octets: number): number => {
  if (message.readUInt16BE(offset) !== octets) throw new RangeError("an address of another length")
  return offset + 2
}

/** What ends with the buffer. */
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

/** dns-packet writes the root as a dot. Servers may answer in the case of whoever wrote the zone. */
const shown = (name: string): string => (name === "." ? "" : visible(name.toLowerCase()))

/**
 * Names and tags may hold any octet; what no stored name has becomes a question mark, so that it equals none and can be
 * kept as JSON.
 */
const visible = (text: string): string => (odd.test(text) ? text.replace(oddEach, "?") : text)
const odd = /[^\x20-\x7e]|["\\]/
const oddEach = /[^\x20-\x7e]|["\\]/g
