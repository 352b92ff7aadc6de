/** Splits bytes into lines. Keeps the unfinished line. Pure. */

export interface ByteLines {
  /** Complete lines as text; undefined for a line that was too long. */
  readonly push: (chunk: Uint8Array) => ReadonlyArray<string | undefined>
}

/** `maxBytes`: longest line. */
export const makeLines = (maxBytes: number): ByteLines => {
  let parts: Array<Uint8Array> = []
  let size = 0
  const add = (part: Uint8Array) => {
    size += part.length
    if (size <= maxBytes && part.length > 0) parts.push(Uint8Array.from(part))
    else if (size > maxBytes) parts = []
  }
  return {
    push: (chunk) => {
      const found: Array<string | undefined> = []
      let from = 0
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
        add(chunk.subarray(from, end))
        found.push(size > maxBytes ? undefined : Buffer.concat(parts).toString("utf8"))
        parts = []
        size = 0
        from = end + 1
      }
      add(chunk.subarray(from))
      return found
    }
  }
}
