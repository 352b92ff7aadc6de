/**
 * Checks the pages of an Ogg file with one Opus stream and computes its duration. Pure; decodes nothing and does not
 * verify checksums. Source: RFC 3533 §6 (pages), RFC 7845 §4 and §5.1 (granules, OpusHead).
 */
import { Result } from "effect"

export interface OggOpusFacts {
  readonly channels: number
  /** Unit: milliseconds. */
  readonly durationMs: number
}

/** Granule units per second, independent of the input's sample rate. Source: RFC 7845 §4. */
const granuleRate = 48_000

/** Length of a page header without its segment table. Unit: bytes. Source: RFC 3533 §6. */
const pageHead = 27
const endOfStream = 4

/** Reads the whole file, which must end with the end-of-stream page. */
export const readOggOpus = (bytes: Uint8Array): Result.Result<OggOpusFacts, string> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let head: { readonly channels: number; readonly preSkip: number } | undefined
  let granule = 0n
  let ended = false
  for (let at = 0; at < bytes.length;) {
    if (at + pageHead > bytes.length || view.getUint32(at) !== 0x4f67_6753)
      return Result.fail("it is no Ogg file, or is cut")
    const segments = bytes[at + 26]!
    const body = at + pageHead + segments
    if (body > bytes.length) return Result.fail("a page of it is cut")
    let length = 0
    for (const lacing of bytes.subarray(at + pageHead, body)) length += lacing
    if (body + length > bytes.length) return Result.fail("a page of it is cut")
    if (at === 0) {
      if (length < 19 || Buffer.from(bytes.subarray(body, body + 8)).toString("latin1") !== "OpusHead")
        return Result.fail("it holds no Opus")
      head = { channels: bytes[body + 9]!, preSkip: view.getUint16(body + 10, true) }
    }
    const position = view.getBigInt64(at + 6, true)
    if (position > granule) granule = position
    ended = (bytes[at + 5]! & endOfStream) !== 0
    at = body + length
  }
  if (head === undefined) return Result.fail("it is empty")
  if (!ended) return Result.fail("its end is missing")
  return Result.succeed({
    channels: head.channels,
    durationMs: Math.max(0, Math.round(((Number(granule) - head.preSkip) / granuleRate) * 1000))
  })
}
