/**
 * The body of a request on a hot lane, bounded and in memory. Answers nothing; the listener ends slow clients.
 *
 * The library raw-body 4.0.0 returns nothing of a body beyond the limit. It has 460 lines, this file 40.
 */
import type { IncomingMessage } from "node:http"

/**
 * Reads the body and calls `done` once: with the whole body, or, as soon as it is longer than `limit`, with its first
 * `limit` bytes and `isWhole` false. The rest is discarded, so that the client can read the answer. Never calls `done`
 * when the client disconnects before the end. Unit of `limit`: bytes.
 */
export const readBody = (
  request: IncomingMessage,
  limit: number,
  done: (bytes: Buffer, isWhole: boolean) => void
): void => {
  let first: Buffer | undefined
  let more: Array<Buffer> | undefined
  let size = 0
  request.on("data", (chunk: Buffer) => {
    if (size > limit) return
    size += chunk.length
    // Most bodies arrive in one chunk, which needs no list and no copy.
    if (first === undefined) first = chunk
    else (more ??= [first]).push(chunk)
    if (size > limit) done((more === undefined ? first : Buffer.concat(more)).subarray(0, limit), false)
  })
  request.on("end", () => {
    if (size <= limit) done(more === undefined ? (first ?? noBytes) : Buffer.concat(more), true)
  })
}

const noBytes = Buffer.alloc(0)
