/** Splits a message by its structure into text blocks and attachments. Pure. */
import type { MessageStructureObject } from "imapflow"
import { oneLine } from "../HeaderText.ts"
import { safeName } from "./FileName.ts"

/** A part shown as text. */
export interface TextPart {
  readonly part: string
  readonly type: "text/plain" | "text/html"
  readonly charset: string
  readonly encoding: string
  readonly flowed: boolean
  readonly delSp: boolean
  /** Encoded size. Unit: bytes. */
  readonly size: number
}

/** A block of the message's text, as plain text, HTML or both. */
export interface Block {
  readonly plain?: TextPart
  readonly html?: TextPart
}

export interface Attachment {
  readonly part: string
  /** Transfer encoding. */
  readonly encoding: string
  readonly filename: string
  readonly media_type: string
  /** Encoded size. Unit: bytes. */
  readonly size: number
  readonly content_id: string | null
  /** Shown inside the text. */
  readonly inline: boolean
}

export interface MessageParts {
  readonly blocks: ReadonlyArray<Block>
  readonly attachments: ReadonlyArray<Attachment>
}

/**
 * Maximum number of parts shown as text; further text parts become attachments. Reason: a mailing list's footer makes
 * two, a digest some more.
 */
const maxBlocks = 20

export const messageParts = (root: MessageStructureObject): MessageParts => {
  const blocks: Array<Block> = []
  const attachments: Array<Attachment> = []
  const walk = (node: MessageStructureObject, within: string): ReadonlyArray<Block> => {
    const part = node.part ?? "1"
    if (node.type.startsWith("multipart/")) {
      const found = (node.childNodes ?? []).map((child) => walk(child, node.type))
      return node.type === "multipart/alternative" ? merged(found) : found.flat()
    }
    const text = textPart(node, part)
    if (text !== undefined) return [text.type === "text/html" ? { html: text } : { plain: text }]
    attachments.push(attachment(node, part, within))
    return []
  }
  for (const block of walk(root, "")) {
    if (blocks.length < maxBlocks) blocks.push(block)
    else for (const text of [block.plain, block.html]) if (text !== undefined) attachments.push(leftOver(text))
  }
  return { blocks, attachments }
}

/** Alternatives of the same text. The last one of each type is the best (RFC 2046 §5.1.4). */
const merged = (forms: ReadonlyArray<ReadonlyArray<Block>>): ReadonlyArray<Block> => {
  const all = forms.flat()
  const plain = all.findLast((block) => block.plain !== undefined)?.plain
  const html = all.findLast((block) => block.html !== undefined)?.html
  return plain === undefined && html === undefined
    ? []
    : [{ ...(plain === undefined ? {} : { plain }), ...(html === undefined ? {} : { html }) }]
}

const textPart = (node: MessageStructureObject, part: string): TextPart | undefined => {
  const { type } = node
  if (
    (type !== "text/plain" && type !== "text/html") ||
    node.disposition === "attachment" ||
    nameOf(node) !== undefined
  )
    return undefined
  const parameters = node.parameters ?? {}
  return {
    part,
    type,
    charset: String(parameters["charset"] ?? "")
      .replace(/[^\w.:+-]/g, "")
      .slice(0, 40),
    encoding: node.encoding === "base64" || node.encoding === "quoted-printable" ? node.encoding : "8bit",
    flowed: /^flowed$/i.test(parameters["format"] ?? ""),
    delSp: /^yes$/i.test(parameters["delsp"] ?? ""),
    size: node.size ?? 0
  }
}

const nameOf = (node: MessageStructureObject): string | undefined => {
  const name = node.dispositionParameters?.["filename"] ?? node.parameters?.["name"]
  return name === undefined || name === "" ? undefined : String(name)
}

const attachment = (node: MessageStructureObject, part: string, within: string): Attachment => {
  const id = oneLine(node.id ?? "", 200).replace(/^<|>$/g, "")
  const fallback =
    node.type === "message/rfc822"
      ? safeName(`${oneLine(node.envelope?.subject ?? "", 60)}.eml`, "message.eml")
      : `part-${part}`
  return {
    part,
    encoding: node.encoding ?? "8bit",
    filename: safeName(nameOf(node), fallback),
    media_type: mediaType(node.type),
    size: node.size ?? 0,
    content_id: id === "" ? null : id,
    inline:
      node.disposition === "inline" || (node.disposition === undefined && id !== "" && within === "multipart/related")
  }
}

const leftOver = ({ encoding, part, size, type }: TextPart): Attachment => ({
  part,
  encoding,
  filename: `part-${part}.${type === "text/html" ? "html" : "txt"}`,
  media_type: type,
  size,
  content_id: null,
  inline: false
})

/** Valid media type, or `application/octet-stream`. Source: RFC 6838 §4.2. */
const mediaType = (type: string): string =>
  /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/.test(type) ? type : "application/octet-stream"
