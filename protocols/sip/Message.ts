/**
 * A SIP message as one frame carries it, cut into lines that are kept as they came: what is not changed is written back
 * byte for byte. Pure; it opens no socket and judges no meaning. Whatever two parsers could read differently is refused
 * here: bare line breaks, control characters, two lengths. Source: RFC 3261 §7 and §25.1; RFC 7118 §5 (one message a
 * frame).
 */
import { Result } from "effect"

/**
 * Longest message. Unit: bytes. Reason: a session description with many candidates has a tenth of it; the largest UDP
 * datagram.
 */
export const maxMessage = 64 * 1024

/** Longest head: start line and headers. Unit: bytes. Reason: ten times what browsers and switches send. */
export const maxHead = 32 * 1024

/** Longest header with its folded lines. Unit: bytes. */
export const maxHeader = 8 * 1024

/** Headers of one message. Unit: headers. Reason: real ones have about thirty, with all Via and Record-Route. */
export const maxHeaders = 128

/** Longest start line. Unit: bytes. */
export const maxStartLine = 2 * 1024

export interface Header {
  /** Lower case, the long form of a compact one. */
  readonly name: string
  /** As it came, name and colon with what stands between them. Latin-1: one character is one byte. */
  readonly label: string
  /** What follows the colon, with spaces and folds. Latin-1. */
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

/** Why bytes are no message, for the log and for reports; holds nothing of them. */
export type Malformed =
  | "too_long"
  | "no_end_of_head"
  | "start_line"
  | "header_line"
  | "too_many_headers"
  | "control_characters"
  | "missing_header"
  | "content_length"

/** Source: RFC 3261 §7.3.3, of the headers that are looked at here. */
const compact: Readonly<Record<string, string>> = {
  v: "via",
  m: "contact",
  l: "content-length",
  i: "call-id",
  f: "from",
  t: "to"
}

/** Without them nobody could answer. Source: RFC 3261 §8.1.1, without Max-Forwards, which older clients leave out. */
const needed = ["via", "from", "to", "call-id", "cseq"]

const token = "[A-Za-z0-9\\-.!%*_+`'~]+"
const request = new RegExp(`^(${token}) ([A-Za-z][A-Za-z0-9+.\\-]*:[^\\x00-\\x20\\x7f<>"]+) SIP/2\\.0$`)
const response = /^SIP\/2\.0 ([1-6]\d\d) ([^\x00-\x08\x0a-\x1f\x7f]*)$/
const headerLine = new RegExp(`^(${token}[ \\t]*:)([^]*)$`)

/** All but tab, line breaks and what can be shown. Bytes from 0x80 are UTF-8. */
const control = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/

/** A line break that is not CR LF. */
const bareBreak = /\r(?!\n)|(?<!\r)\n/

/** Reads one frame. */
export const read = (bytes: Buffer): Result.Result<Message, Malformed> => {
  if (bytes.length > maxMessage) return Result.fail("too_long")
  const end = bytes.indexOf("\r\n\r\n")
  if (end === -1) return Result.fail(bytes.length > maxHead ? "too_long" : "no_end_of_head")
  if (end > maxHead) return Result.fail("too_long")
  const head = bytes.toString("latin1", 0, end)
  if (control.test(head) || bareBreak.test(head)) return Result.fail("control_characters")
  // A line that begins with a space or tab goes on with the one before (RFC 3261 §7.3.1).
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

/** The same bytes, when nothing was changed. */
export const write = ({ body, headers, start }: Message): Buffer => {
  const first =
    start._tag === "Request" ? `${start.method} ${start.uri} SIP/2.0` : `SIP/2.0 ${start.status} ${start.reason}`
  const lines = headers.map(({ label, value }) => `${label}${value}\r\n`)
  return Buffer.concat([Buffer.from(`${first}\r\n${lines.join("")}\r\n`, "latin1"), body])
}

/** The first header of a (long, lower case) name, without the space around it; undefined when there is none. */
export const header = ({ headers }: Message, name: string): string | undefined =>
  headers.find((one) => one.name === name)?.value.trim()

const startLine = (line: string): StartLine | undefined => {
  const asked = request.exec(line)
  if (asked !== null) return { _tag: "Request", method: asked[1]!, uri: asked[2]! }
  const answered = response.exec(line)
  return answered === null ? undefined : { _tag: "Response", status: Number(answered[1]), reason: answered[2]! }
}

/**
 * One length, and the true one: a second message behind the first would be its body for us and a message for others.
 */
const declares = (headers: ReadonlyArray<Header>, length: number): boolean => {
  const declared = headers.filter(({ name }) => name === "content-length")
  if (declared.length === 0) return length === 0
  const value = declared[0]!.value.trim()
  return declared.length === 1 && /^\d{1,6}$/.test(value) && Number(value) === length
}
