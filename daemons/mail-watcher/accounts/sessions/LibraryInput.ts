/**
 * Reads the server's bytes on their way to imapflow: counts the responses against the limits, and makes ESEARCH
 * responses readable. A response ends here by the same rule as in imapflow, so the library cannot receive an uncounted
 * one. The result does not depend on how the bytes are split into chunks. Opens no socket.
 */
import { AnswerCount } from "./AnswerLimits.ts"
import { esearch, readable } from "./EsearchAnswers.ts"

/** Length of the prefix that names a response. Unit: bytes. Reason: no name of interest is longer than ESEARCH. */
const headLength = esearch.length

/**
 * Longest end of a line that announces a literal, `{…}` and CRLF. Unit: bytes. Reason: imapflow refuses numbers over 19
 * digits. It accepts any number of leading zeros; here a longer number ends the session.
 */
const longestMark = 40

export class LibraryInput {
  readonly #count: AnswerCount
  #over = false
  /** First bytes of the current response, at most `headLength`. */
  #head = ""
  /** Received bytes of the current response. */
  #received = 0
  /** Missing bytes of the current literal. */
  #literal = 0
  /** Last bytes outside of literals, at most `longestMark`. */
  #tail = ""

  constructor(count = new AnswerCount()) {
    this.#count = count
  }

  /** Whether a response has begun but not ended. */
  get amid(): boolean {
    return this.#received > 0
  }

  /** Resets the counters for the next piece of work. */
  begin(): void {
    this.#count.reset()
  }

  /** Returns a copy of the bytes for imapflow. Undefined: a limit is exceeded, now or earlier. */
  take(chunk: Buffer): Buffer | undefined {
    this.#count.addBytes(chunk.length)
    const pieces: Array<Buffer> = []
    let copied = 0
    for (let at = 0; at < chunk.length && !this.#over;) {
      if (this.#literal > 0) {
        at += this.#readLiteral(chunk.length - at)
        continue
      }
      const end = endOfLine(chunk, at)
      const mended = this.#readText(chunk, at, end)
      if (mended !== undefined) {
        pieces.push(chunk.subarray(copied, at), Buffer.from(mended, "latin1"))
        copied = end
      }
      at = end
    }
    if (this.#count.over) this.#over = true
    return this.#over ? undefined : Buffer.concat([...pieces, chunk.subarray(copied)])
  }

  /** Reads at most this many bytes of a literal and returns their number. */
  #readLiteral(most: number): number {
    const bytes = Math.min(most, this.#literal)
    this.#received += bytes
    this.#literal -= bytes
    return bytes
  }

  /** Reads a line or its beginning. Returns the text that replaces it, if any. */
  #readText(chunk: Buffer, at: number, end: number): string | undefined {
    if (this.#head.length === this.#received && this.#received < headLength)
      this.#head += chunk.toString("latin1", at, Math.min(end, at + headLength - this.#received))
    this.#received += end - at
    const before = this.#tail
    this.#tail = (before + chunk.toString("latin1", Math.max(at, end - longestMark), end)).slice(-longestMark)
    const mended = this.#head === esearch ? readable(chunk.toString("latin1", at, end), before) : undefined
    if (chunk[end - 1] === lineFeed) this.#endLine()
    return mended
  }

  #endLine(): void {
    const mark = literalMark.exec(this.#tail)
    if (mark === null) {
      this.#count.addAnswer(this.#head, this.#received)
      this.#head = ""
      this.#received = 0
    } else if (mark[1] === undefined) this.#over = true
    else this.#literal = Number(mark[1])
  }
}

const lineFeed = 0x0a

const endOfLine = (chunk: Buffer, at: number): number => {
  const found = chunk.indexOf(lineFeed, at)
  return found === -1 ? chunk.length : found + 1
}

/** The end of a line that announces a literal. Without a group: the number is longer than `longestMark`. */
const literalMark = new RegExp(`(?:\\{(\\d+)|^\\d{${longestMark - "}\r\n".length},})\\}\\r?\\n$`)
