/**
 * Splits the byte stream from Postfix into requests: lines `name=value`, ended by an empty line. Pure except for its
 * buffer; opens no socket and does not interpret attributes. The result does not depend on how the bytes are split into
 * chunks. Source: SMTPD_POLICY_README, "Protocol description".
 */

/** Attributes as sent, in a null-prototype record. The first of repeated names wins. Invalid UTF-8 becomes U+FFFD. */
export type Attributes = Readonly<Record<string, string>>

/**
 * Result of one chunk of input. After a `fault` the parser ignores further input, because it cannot find the next
 * request.
 */
export interface Framed {
  readonly requests: ReadonlyArray<Attributes>
  readonly fault?: string
}

/**
 * Longest line without its end. Unit: bytes. Reason: Postfix's own line_length_limit is 2,048; names from certificates
 * are longer because they are encoded.
 */
export const maxLineBytes = 8 * 1024

/** Maximum number of attributes of a request. Reason: Postfix 3.7 sends 29. */
export const maxAttributes = 100

/**
 * Largest request. Unit: bytes. Reason: usual requests have about 600; client texts in them are limited by the SMTP
 * line length.
 */
export const maxRequestBytes = 32 * 1024

const lineFeed = 0x0a

export class Framing {
  /** Chunks of the unfinished line, joined once when the line is complete. */
  #parts: Array<Buffer> = []
  #lineBytes = 0
  #attributes: Record<string, string> = Object.create(null)
  #count = 0
  #requestBytes = 0
  #fault: string | undefined

  push(chunk: Uint8Array): Framed {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const requests: Array<Attributes> = []
    for (let at = 0; at < bytes.length && this.#fault === undefined;) {
      const found = bytes.indexOf(lineFeed, at)
      const end = found === -1 ? bytes.length : found
      this.#keep(bytes.subarray(at, end))
      if (found !== -1) this.#endOfLine(requests)
      at = end + 1
    }
    return this.#fault === undefined ? { requests } : { requests, fault: this.#fault }
  }

  /** Whether a request has begun but not ended. */
  get unfinished(): boolean {
    return this.#count > 0 || this.#lineBytes > 0
  }

  /** Copies the bytes, because the socket owns the chunk's buffer. */
  #keep(bytes: Buffer): void {
    this.#lineBytes += bytes.length
    this.#requestBytes += bytes.length
    if (this.#lineBytes > maxLineBytes) this.#fail(`a line beyond ${maxLineBytes} bytes`)
    else if (this.#requestBytes > maxRequestBytes) this.#fail(`a request beyond ${maxRequestBytes} bytes`)
    else if (bytes.length > 0) this.#parts.push(Buffer.from(bytes))
  }

  #endOfLine(requests: Array<Attributes>): void {
    if (this.#fault !== undefined) return
    const line = Buffer.concat(this.#parts)
    this.#parts = []
    this.#lineBytes = 0
    if (line.length > 0) this.#attribute(line)
    else if (this.#count === 0) this.#fail("a request without attributes")
    else {
      requests.push(this.#attributes)
      this.#attributes = Object.create(null)
      this.#count = 0
      this.#requestBytes = 0
    }
  }

  #attribute(line: Buffer): void {
    const text = line.toString("utf8")
    const equals = text.indexOf("=")
    if (equals < 1) return this.#fail("a line without a name")
    if (text.includes("\0")) return this.#fail("a null character")
    if (++this.#count > maxAttributes) return this.#fail(`more than ${maxAttributes} attributes`)
    const name = text.slice(0, equals)
    if (!(name in this.#attributes)) this.#attributes[name] = text.slice(equals + 1)
  }

  #fail(why: string): void {
    this.#fault = why
    this.#parts = []
  }
}
