/**
 * Reads and writes a SIP message that one WebSocket frame carries. Header lines are kept as received, so unchanged
 * lines are written back byte for byte. Pure; opens no socket and does not interpret the message. It refuses everything
 * that two parsers could read differently: bare line breaks, control characters, two lengths. Source: RFC 3261 §7 and
 * §25.1; RFC 7118 §5 (one message per frame).
 *
 * Libraries cannot write unchanged lines back byte for byte: sip 0.0.6 changes each of 67 captured messages, and takes
 * 1.9 times as long to read and write them. sip.js 0.21.2 takes 250 times as long only to read them (Node 24).
 */
import { Result } from "effect"

/**
 * Longest message. Unit: bytes. Reason: the size of the largest UDP datagram; a session description with many
 * candidates has a tenth of it.
 */
export const maxMessage = 64 * 1024

/**
 * Longest head, which is the start line and the headers. Unit: bytes. Reason: ten times what browsers and SIP servers
 * send.
 */
export const maxHead = 32 * 1024

/** Longest header with its folded lines. Unit: bytes. */
export const maxHeader = 8 * 1024

/**
 * Maximum number of headers of a message. Reason: real messages have about thirty, including all Via and Record-Route
 * headers.
 */
export const maxHeaders = 128

/** Longest start line. Unit: bytes. */
export const maxStartLine = 2 * 1024

export interface Header {
  /** Header name in lower case; compact names in their long form. */
  readonly name: string
  /** Name and colon as received, with the white space between them. Latin-1: one character is one byte. */
  readonly label: string
  /** Text after the colon as received, with white space and folded lines. Latin-1. */
  readonly value: string
}

export type StartLine =
  | { readonly _tag: "Request"; readonly method: string; readonly uri: string }
  | { readonly _tag: "Response"; readonly status: number; readonly reason: string }

export interface Message {
  readonly start: StartLine
  readonly headers: ReadonlyArray<Header>
  readonly body: Buffer
}

/** Reason why bytes are not a valid message, for logs and reports. Contains no part of the message. */
export type Malformed =
  | "too_long"
  | "no_end_of_head"
  | "start_line"
  | "header_line"
  | "too_many_headers"
  | "control_characters"
  | "missing_header"
  | "content_length"

/** Compact forms of the headers that this module reads. Source: RFC 3261 §7.3.3. */
const compact: Readonly<Record<string, string>> = {
  v: "via",
  m: "contact",
  l: "content-length",
  i: "call-id",
  f: "from",
  t: "to"
}

/**
 * Headers without which a message cannot be answered. Source: RFC 3261 §8.1.1, without Max-Forwards, which older
 * clients omit.
 */
const needed = ["via", "from", "to", "call-id", "cseq"]

const token = "[A-Za-z0-9\\-.!%*_+`'~]+"
const request = new RegExp(`^(${token}) ([A-Za-z][A-Za-z0-9+.\\-]*:[^\\x00-\\x20\\x7f<>"]+) SIP/2\\.0$`)
const response = /^SIP\/2\.0 ([1-6]\d\d) ([^\x00-\x08\x0a-\x1f\x7f]*)$/
const headerLine = new RegExp(`^(${token}[ \\t]*:)([^]*)$`)

/** Control characters except tab, CR and LF. Bytes from 0x80 are UTF-8. */
const control = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/

/** A line break that is not CR LF. */
const bareBreak = /\r(?!\n)|(?<!\r)\n/

/** Parses one frame. */
export const read = (bytes: Buffer): Result.Result<Message, Malformed> => {
  if (bytes.length > maxMessage) return Result.fail("too_long")
  const end = bytes.indexOf("\r\n\r\n")
  if (end === -1) return Result.fail(bytes.length > maxHead ? "too_long" : "no_end_of_head")
  if (end > maxHead) return Result.fail("too_long")
  const head = bytes.toString("latin1", 0, end)
  if (control.test(head) || bareBreak.test(head)) return Result.fail("control_characters")
  // A line that begins with a space or tab continues the previous line (RFC 3261 §7.3.1).
  const [first, ...lines] = head.split(/\r\n(?![ \t])/)
  const start = first === undefined || first.length > maxStartLine ? undefined : startLine(first)
  if (start === undefined) return Result.fail("start_line")
  if (lines.length > maxHeaders) return Result.fail("too_many_headers")
  const headers: Array<Header> = []
  for (const line of lines) {
    const parts = line.length > maxHeader ? null : headerLine.exec(line)
    if (parts === null) return Result.fail("header_line")
    const name = parts[1]!.slice(0, -1).trimEnd().toLowerCase()
    headers.push({ name: Object.hasOwn(compact, name) ? compact[name]! : name, label: parts[1]!, value: parts[2]! })
  }
  if (!needed.every((name) => headers.some((header) => header.name === name))) return Result.fail("missing_header")
  const body = bytes.subarray(end + 4)
  return declares(headers, body.length) ? Result.succeed({ start, headers, body }) : Result.fail("content_length")
}

/** Serialises a message. An unchanged message gives the same bytes. */
export const write = ({ body, headers, start }: Message): Buffer => {
  const first =
    start._tag === "Request" ? `${start.method} ${start.uri} SIP/2.0` : `SIP/2.0 ${start.status} ${start.reason}`
  const lines = headers.map(({ label, value }) => `${label}${value}\r\n`)
  return Buffer.concat([Buffer.from(`${first}\r\n${lines.join("")}\r\n`, "latin1"), body])
}

/** Value of the first header with this name (long form, lower case), trimmed; undefined when there is none. */
export const header = ({ headers }: Message, name: string): string | undefined =>
  headers.find((one) => one.name === name)?.value.trim()

const startLine = (line: string): StartLine | undefined => {
  const asked = request.exec(line)
  if (asked !== null) return { _tag: "Request", method: asked[1]!, uri: asked[2]! }
  const answered = response.exec(line)
  return answered === null ? undefined : { _tag: "Response", status: Number(answered[1]), reason: answered[2]! }
}

/**
 * Whether exactly one correct Content-Length is given. Otherwise a second message after the first would be its body for
 * us and a separate message for other parsers. An empty body needs no Content-Length.
 */
const declares = (headers: ReadonlyArray<Header>, length: number): boolean => {
  const declared = headers.filter(({ name }) => name === "content-length")
  if (declared.length === 0) return length === 0
  const value = declared[0]!.value.trim()
  return declared.length === 1 && /^\d{1,6}$/.test(value) && Number(value) === length
}
