/**
 * Opens the order data of large downloads: decrypts and inflates them in turns, so that hundreds of MiB do not stop the
 * event loop. The result is that of `Encryption.openOrderData`, which opens small data at once. zlib inflates in
 * threads; AES needs a millisecond a piece.
 */
import type { KeyObject } from "node:crypto"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { setImmediate } from "node:timers/promises"
import { createInflate } from "node:zlib"
import { Effect } from "effect"
import { EbicsError, tooLarge } from "./EbicsError.ts"
import { Decryption, notDecryptable, unwrapKey } from "./Encryption.ts"

/** Bytes that are decrypted, inflated or copied at once. Unit: bytes. Reason: about a millisecond. */
export const pieceLength = 1_048_576

/** Order data of all segments, which are decoded but still encrypted. */
export const openInTurns = (
  segments: ReadonlyArray<Uint8Array>,
  wrappedKey: Uint8Array,
  privateKey: KeyObject,
  limit: { readonly name: string; readonly bytes: number }
): Effect.Effect<Buffer, EbicsError> =>
  Effect.flatMap(Effect.fromResult(unwrapKey(wrappedKey, privateKey)), (key) =>
    Effect.tryPromise({
      try: (signal) => opened(segments, key, limit, signal),
      // One error for every failure, so that its kind says nothing about the padding.
      catch: (error) => (error instanceof EbicsError ? error : notDecryptable())
    })
  )

const opened = async (
  segments: ReadonlyArray<Uint8Array>,
  key: Uint8Array,
  limit: { readonly name: string; readonly bytes: number },
  signal: AbortSignal
): Promise<Buffer> => {
  const inflate = createInflate({ chunkSize: pieceLength })
  const source = decrypted(segments, key)
  const chunks: Array<Buffer> = []
  let size = 0
  await pipeline(
    Readable.from(source.pieces, { highWaterMark: 1 }),
    inflate,
    async (inflated: AsyncIterable<Buffer>) => {
      for await (const chunk of inflated) {
        size += chunk.length
        if (size > limit.bytes) throw tooLarge(limit.name)
        chunks.push(chunk)
      }
    },
    { signal }
  )
  // Bytes behind the end of the stream.
  if (inflate.bytesWritten !== source.length()) throw notDecryptable()
  return joined(chunks, size)
}

/** Decrypted data without its padding, and its length as soon as all pieces were read. */
const decrypted = (segments: ReadonlyArray<Uint8Array>, key: Uint8Array) => {
  let length = 0
  return {
    length: () => length,
    pieces: (async function* () {
      const decryption = new Decryption(key)
      for (const segment of segments)
        for (let from = 0; from < segment.length; from += pieceLength) {
          const piece = decryption.update(segment.subarray(from, from + pieceLength))
          length += piece.length
          if (piece.length > 0) yield piece
          await setImmediate()
        }
      const last = decryption.end()
      length += last.length
      if (last.length > 0) yield last
    })()
  }
}

const joined = async (chunks: ReadonlyArray<Buffer>, size: number): Promise<Buffer> => {
  const whole = Buffer.allocUnsafe(size)
  let to = 0
  for (const chunk of chunks) {
    to += chunk.copy(whole, to)
    await setImmediate()
  }
  return whole
}
