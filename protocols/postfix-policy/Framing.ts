/**
 * Cuts Postfix's bytes into requests: lines `name=value`, an empty line at the end. Pure but for its own buffer; opens
 * no socket and gives no attribute a meaning. Whatever the pieces in which the bytes come, the requests are the same.
 * Source: SMTPD_POLICY_README, "Protocol description".
 */

/** As sent, a null-prototype record; of a repeated name the first. Bytes that are no UTF-8 are replaced by U+FFFD. */
export type Attributes = Readonly<Record<string, string>>

/** What a piece of input gave. After a `fault` nothing more comes out: the bytes have lost their meaning. */
export interface Framed {
  readonly requests: ReadonlyArray<Attributes>
  readonly fault?: string
}

/**
 * Longest line. Unit: bytes, without its end. Reason: Postfix's own line_length_limit is 2,048; names of certificates
 * are encoded.
 */
export const maxLineBytes = 8 * 1024

/** Attributes of a request. Reason: Postfix 3.7 sends 29. */
export const maxAttributes = 100

/** Largest request. Unit: bytes. Reason: about 600 as a rule; its texts come from clients, each within an SMTP line. */
export const maxRequestBytes = 32 * 1024

const lineFeed = 0x0a

export class Framing {
  /** The unfinished line, as it came: joined once, when it is complete. */
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

  /** Whether a request has begun and not ended. */
  get unfinished(): boolean {
    return this.#count > 0 || this.#lineBytes > 0
  }

  /** Copies: the socket's buffer is the socket's. */
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
