/**
 * Cuts a server's bytes into IMAP lines with their literals. Pure but for its own unfinished line, which it keeps as
 * text, so that no read buffer outlives its read. Opens no socket and gives no line a meaning. Whatever the pieces in
 * which the bytes come, the lines are the same. Source: RFC 3501 §2.2, §4.3; RFC 7888 for `{n+}`.
 */

/**
 * One line without its CRLF: text, literal, text, literal, …, text; always an odd number of parts. One character a byte
 * (latin1), so that a name's bytes are still there to be decoded.
 */
export type Line = ReadonlyArray<string>

/** `TooLong`, `LiteralTooLong`: beyond the bounds; `Malformed`: a lone CR or LF, or a NUL in a line. */
export type LineFault = "TooLong" | "LiteralTooLong" | "Malformed"

/** What a piece of input gave. After a `fault` nothing more comes out: the bytes have lost their meaning. */
export interface Framed {
  readonly lines: ReadonlyArray<Line>
  readonly fault?: LineFault
}

/**
 * Longest line, its literals counted in. Unit: bytes. Reason: a server's own are below 1 KiB; a VANISHED or CAPABILITY
 * may be long.
 */
export const maxLineBytes = 64 * 1024

/**
 * Longest literal. Unit: bytes. Reason: names of folders come this way, which file systems end below 4 KiB, and heads
 * of messages, which are asked for up to this.
 */
export const maxLiteralBytes = 8 * 1024

/** How much is read. Unit: bytes. */
export interface LineBounds {
  /** Of one line, its literals counted in. */
  readonly line: number
  /** Of one line without its literals. */
  readonly text: number
  readonly literal: number
}

/** What a watcher reads. */
export const watchBounds: LineBounds = { line: maxLineBytes, text: maxLineBytes, literal: maxLiteralBytes }

/** The bytes of a line, as they came but for the `+` of a literal. */
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
  /** The unfinished part. */
  #held = ""
  #lineBytes = 0
  #textBytes = 0
  /** Bytes still to come of a literal; undefined while text is read. */
  #literal: number | undefined
  #fault: LineFault | undefined

  constructor(bounds: LineBounds = watchBounds) {
    this.#bounds = bounds
  }

  /** A line has begun that has no end yet. */
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
      // Not cut off afterwards: what is cut out of a string is read slower than a string.
      this.#endOfText(this.#held + bytes.toString("latin1", at, found - 1), lines)
      return end
    }
    this.#held += bytes.toString("latin1", at, end)
    if (found !== -1) this.#endOfHeld(lines)
    return end
  }

  /** The line's CR came with what was read before. */
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

/** At the end of a text: a literal follows. Source: RFC 3501 §9 `literal`, RFC 7888 §8. */
const literalEnd = /\{(\d{1,10})\+?\}$/

/** Of a greeting, an answer or a continuation: it ends in words for people, where `{5}` means nothing. */
const isFreeText = (text: string): boolean => /^(?:\+|\S+ (?:OK|NO|BAD|BYE|PREAUTH)(?: |$))/i.test(text)

// oxlint-disable-next-line no-control-regex
const unsayable = /[\0\r]/
