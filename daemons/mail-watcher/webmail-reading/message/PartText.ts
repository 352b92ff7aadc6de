/** Decodes a text part with postal-mime: transfer encoding, charset and soft line breaks. Never throws. */
import PostalMime from "postal-mime"
import type { TextPart } from "./MessageParts.ts"

/** `bytes` are the encoded part, possibly cut off. */
export const partText = async (part: TextPart, bytes: Uint8Array): Promise<string> => {
  const parameters = [
    ...(part.charset === "" ? [] : [`charset="${part.charset}"`]),
    ...(part.flowed ? ["format=flowed", ...(part.delSp ? ["delsp=yes"] : [])] : [])
  ]
    .map((parameter) => `; ${parameter}`)
    .join("")
  // The generated header declares a single part, so the bytes cannot start another one.
  const head = `Content-Type: ${part.type}${parameters}\r\nContent-Transfer-Encoding: ${part.encoding}\r\n\r\n`
  try {
    const mail = await PostalMime.parse(Buffer.concat([Buffer.from(head), bytes]))
    return (part.type === "text/html" ? mail.html : mail.text)?.toWellFormed() ?? ""
  } catch {
    return Buffer.from(bytes).toString("latin1")
  }
}

/** Multi-line text with LF line ends and tabs, without other control characters. */
export const runningText = (text: string, maximum: number): string =>
  // oxlint-disable-next-line no-control-regex
  text
    .slice(0, maximum)
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "")
