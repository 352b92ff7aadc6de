/**
 * Splits the byte stream from the switch into messages: header lines, an empty line, and a body of Content-Length
 * bytes. Pure except for its buffer; opens no socket and interprets neither commands nor messages. The result does not
 * depend on how the bytes are split into chunks. Source: mod_event_socket.c, and captures of a real switch.
 *
 * The library modesl 1.2.1 has no limits: a header block or body of any length fills its buffer. It frames and decodes
 * an event in 0.9 times the time of this file and SwitchEvent.ts (7 KB of JSON in reads of 64 KiB, Node 24).
 */

export interface Message {
  /** Value of `Content-Type`; empty when there is none. */
  readonly contentType: string
  /** Headers as sent, in a null-prototype record. The first of repeated names wins. */
  readonly headers: Readonly<Record<string, string>>
  /** Empty when there is no Content-Length. */
  readonly body: Buffer
}

/**
 * Result of one chunk of input. After a `fault` the parser ignores further input, because it cannot find the next
 * message.
 */
export interface Framed {
  readonly messages: ReadonlyArray<Message>
  readonly fault?: string
}

/** Longest header block. Unit: bytes. Reason: usual blocks have less than 1 KiB; a Reply-Text can quote a command. */
export const maxHeaderBytes = 64 * 1024

/** Longest body. Unit: bytes. Reason: an event has 5 to 15 KB, and `show channels as json` about 1 KB per channel. */
export const maxBodyBytes = 4 * 1024 * 1024

const lineFeed = 0x0a

export class Framing {
  /** Chunks of the unfinished line or body, joined once when it is complete. */
  #parts: Array<Buffer> = []
  #partBytes = 0
  #headers: Record<string, string> = Object.create(null)
  #headerBytes = 0
  #headerCount = 0
  /** Length of the expected body; undefined while header lines are read. */
  #expected: number | undefined
  #fault: string | undefined

  push(chunk: Uint8Array): Framed {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const messages: Array<Message> = []
    let at = 0
    while (at < bytes.length && this.#fault === undefined) {
      at =
        this.#expected === undefined
          ? this.#readLine(bytes, at, messages)
          : this.#readBody(bytes, at, this.#expected, messages)
    }
    return this.#fault === undefined ? { messages } : { messages, fault: this.#fault }
  }

  #readLine(bytes: Buffer, at: number, messages: Array<Message>): number {
    const found = bytes.indexOf(lineFeed, at)
    const end = found === -1 ? bytes.length : found
    this.#headerBytes += end - at + 1
    if (this.#headerBytes > maxHeaderBytes) return this.#fail(`header block beyond ${maxHeaderBytes} bytes`, bytes)
    this.#keep(bytes.subarray(at, end))
    if (found === -1) return end
    const line = this.#take().toString("utf8").replace(/\r$/, "")
    if (line !== "") this.#header(line)
    else if (this.#headerCount > 0) this.#endOfHeaders(messages)
    else this.#headerBytes = 0
    return end + 1
  }

  #header(line: string): void {
    const colon = line.indexOf(":")
    if (colon < 1) return void this.#fail("a header line without a name")
    const name = line.slice(0, colon)
    if (name in this.#headers) {
      if (name === "Content-Length") this.#fail("Content-Length twice")
      return
    }
    this.#headers[name] = line.slice(colon + 1).trim()
    this.#headerCount++
  }

  #endOfHeaders(messages: Array<Message>): void {
    const length = this.#headers["Content-Length"] ?? "0"
    if (!/^\d{1,10}$/.test(length)) return void this.#fail("Content-Length is not a number of bytes")
    const expected = Number(length)
    if (expected > maxBodyBytes) return void this.#fail(`body beyond ${maxBodyBytes} bytes`)
    if (expected === 0) this.#complete(Buffer.alloc(0), messages)
    else this.#expected = expected
  }

  #readBody(bytes: Buffer, at: number, expected: number, messages: Array<Message>): number {
    const end = Math.min(bytes.length, at + expected - this.#partBytes)
    this.#keep(bytes.subarray(at, end))
    if (this.#partBytes === expected) this.#complete(this.#take(), messages)
    return end
  }

  #complete(body: Buffer, messages: Array<Message>): void {
    messages.push({ contentType: this.#headers["Content-Type"] ?? "", headers: this.#headers, body })
    this.#headers = Object.create(null)
    this.#headerBytes = 0
    this.#headerCount = 0
    this.#expected = undefined
  }

  /** Copies the bytes, because the socket owns the chunk's buffer. */
  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#parts.push(Buffer.from(bytes))
    this.#partBytes += bytes.length
  }

  #take(): Buffer {
    const joined = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
    this.#parts = []
    this.#partBytes = 0
    return joined
  }

  #fail(why: string, bytes?: Buffer): number {
    this.#fault = why
    this.#parts = []
    return bytes?.length ?? 0
  }
}
