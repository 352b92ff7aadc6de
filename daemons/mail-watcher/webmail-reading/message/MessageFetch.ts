/** Fetches one message: its header, its structure and its text parts, nothing else. */
import type { FetchMessageObject, ImapFlow, MessageEnvelopeObject } from "imapflow"
import { noMessage, openFolder } from "../../accounts/Exports.ts"
import { plainHead } from "../PlainHeader.ts"
import { type MessageParts, type TextPart, messageParts } from "./MessageParts.ts"
import { partText, runningText } from "./PartText.ts"

/**
 * Maximum text fetched per message, all parts together. Unit: encoded bytes. Reason: newsletters have 300 kB; longer
 * text can be downloaded.
 */
export const maxTextBytes = 1024 * 1024

/** Bytes of header and of undecoded text shown for a message that cannot be parsed. Unit: bytes. */
const maxHead = 64 * 1024
const maxRawText = 64 * 1024

export interface FetchedMessage {
  readonly uid: number
  readonly envelope: MessageEnvelopeObject
  readonly references: string
  readonly internalDate: Date | string | undefined
  readonly flags: ReadonlySet<string>
  readonly size: number
  readonly tree: MessageParts
  /** Decoded text by part number. */
  readonly texts: ReadonlyMap<string, string>
  /** Some text was not fetched, or the message could not be parsed. */
  readonly truncated: boolean
}

export interface FetchOptions {
  readonly markSeen?: boolean
  /** Skips data that a hostile message can make long. */
  readonly careful?: boolean
}

/** Throws NotFound for a missing message, and the library's errors. */
export const fetchMessage = async (
  client: ImapFlow,
  folder: string,
  uid: number,
  { careful = false, markSeen = false }: FetchOptions = {}
): Promise<FetchedMessage> => {
  await openFolder(client, folder)
  const whole = careful ? undefined : await taken(client, uid)
  const found = whole ?? (await asItStands(client, uid))
  if (!markSeen || found.flags.has("\\Seen")) return found
  await client.mailboxOpen(folder)
  return (await client.messageFlagsAdd(String(uid), ["\\Seen"], { uid: true }))
    ? { ...found, flags: new Set([...found.flags, "\\Seen"]) }
    : found
}

/** Undefined: the message is missing, or the library cannot parse its structure. */
const taken = async (client: ImapFlow, uid: number): Promise<FetchedMessage | undefined> => {
  const message = await client.fetchOne(
    String(uid),
    {
      uid: true,
      flags: true,
      envelope: true,
      size: true,
      internalDate: true,
      bodyStructure: true,
      headers: ["references"]
    },
    { uid: true }
  )
  if (message === false || message === undefined || message.bodyStructure === undefined) return undefined
  const tree = messageParts(message.bodyStructure)
  const { bytes, truncated } = await textBytes(client, uid, tree)
  const texts = new Map<string, string>()
  for (const [part, found] of bytes) texts.set(part.part, await partText(part, found))
  return { ...headOf(message), references: message.headers?.toString("latin1") ?? "", tree, texts, truncated }
}

const headOf = ({ envelope = {}, flags = new Set(), internalDate, size = 0, uid }: FetchMessageObject) => ({
  uid,
  envelope,
  flags,
  internalDate,
  size
})

/** Fetches the text parts in one round trip, in order, up to the limit. */
const textBytes = async (client: ImapFlow, uid: number, { blocks }: MessageParts) => {
  let room = maxTextBytes
  let truncated = false
  const wanted: Array<{ readonly part: TextPart; readonly maxLength: number }> = []
  for (const part of blocks.flatMap(({ html, plain }) => [html, plain]).filter((part) => part !== undefined)) {
    const maxLength = Math.min(part.size, room)
    truncated ||= maxLength < part.size
    room -= maxLength
    if (maxLength > 0) wanted.push({ part, maxLength })
  }
  const bytes = new Map<TextPart, Buffer>()
  if (wanted.length === 0) return { bytes, truncated }
  const found = await client.fetchOne(
    String(uid),
    { uid: true, bodyParts: wanted.map(({ maxLength, part }) => ({ key: part.part, start: 0, maxLength })) },
    { uid: true }
  )
  if (found === false || found === undefined) throw noMessage()
  for (const { maxLength, part } of wanted)
    bytes.set(part, (found.bodyParts?.get(part.part) ?? Buffer.alloc(0)).subarray(0, maxLength))
  return { bytes, truncated }
}

/** The header and the beginning of the undecoded text. */
const asItStands = async (client: ImapFlow, uid: number): Promise<FetchedMessage> => {
  const bodyParts = [
    { key: "HEADER", start: 0, maxLength: maxHead },
    { key: "TEXT", start: 0, maxLength: maxRawText }
  ]
  const message = await client.fetchOne(
    String(uid),
    { uid: true, flags: true, size: true, internalDate: true, bodyParts },
    { uid: true }
  )
  if (message === false || message === undefined) throw noMessage()
  const { envelope, references } = await plainHead(message.headers)
  const text = runningText(message.bodyParts?.get("text")?.toString("utf8") ?? "", maxRawText)
  const part: TextPart = {
    part: "TEXT",
    type: "text/plain",
    charset: "utf-8",
    encoding: "8bit",
    flowed: false,
    delSp: false,
    size: text.length
  }
  return {
    ...headOf({ ...message, envelope }),
    references,
    tree: { blocks: [{ plain: part }], attachments: [] },
    texts: new Map([["TEXT", text]]),
    truncated: true
  }
}
