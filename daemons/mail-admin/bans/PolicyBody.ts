/** The body of a request on the fast lane, whole and bounded. */
import type { IncomingMessage } from "node:http"

/**
 * Calls back once with the body, with undefined when it is longer than `limit` (bytes), or never when the client goes
 * away before its end.
 */
export const readBody = (request: IncomingMessage, limit: number, done: (body: Buffer | undefined) => void): void => {
  if (Number(request.headers["content-length"]) > limit) return done(undefined)
  const chunks: Array<Buffer> = []
  let size = 0
  request.on("data", (chunk: Buffer) => {
    const before = size
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
    // What comes after the refusal is let go by, so that the client gets to read the answer.
    else if (before <= limit) done(undefined)
  })
  request.on("end", () => {
    if (size <= limit) done(Buffer.concat(chunks))
  })
}
