/**
 * Netstrings: a decimal length, a colon, that many bytes, and a comma. Pure except for its buffer; the result does not
 * depend on how the bytes are split into chunks. Source: cr.yp.to/proto/netstrings.txt.
 */

/** Longest request. Unit: bytes. Reason: Postfix's own line_length_limit is 2,048; the name of a map comes first. */
export const maxRequestBytes = 4_096

/** Maximum number of digits of a length, enough for `maxRequestBytes`. */
const maxDigits = String(maxRequestBytes).length

const colon = 0x3a
const comma = 0x2c

/** Requests of one chunk. After a `fault` the next request cannot be found. */
export interface Requests {
  readonly requests: ReadonlyArray<string>
  readonly fault?: string
}

export class Netstrings {
  #buffer: Buffer = Buffer.alloc(0)

  push(chunk: Buffer): Requests {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk])
    const requests: Array<string> = []
    while (true) {
      const digits = this.#buffer.subarray(0, maxDigits + 1).indexOf(colon)
      const length = this.#buffer.toString("latin1", 0, digits === -1 ? maxDigits + 1 : digits)
      if (digits === -1)
        return /^\d*$/.test(length) && length.length <= maxDigits
          ? { requests }
          : { requests, fault: "no length of a netstring" }
      if (!/^(0|[1-9]\d*)$/.test(length) || Number(length) > maxRequestBytes)
        return { requests, fault: `not a length up to ${maxRequestBytes}` }
      const [from, to] = [digits + 1, digits + 1 + Number(length)]
      if (this.#buffer.length <= to) return { requests }
      if (this.#buffer[to] !== comma) return { requests, fault: "no comma after a netstring" }
      requests.push(this.#buffer.toString("utf8", from, to))
      this.#buffer = this.#buffer.subarray(to + 1)
    }
  }
}

export const encode = (text: string): string => `${Buffer.byteLength(text)}:${text},`
