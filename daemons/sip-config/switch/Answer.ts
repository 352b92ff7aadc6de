/** A whole answer to the switch, made once and sent often. It is always HTTP 200: the switch reads no other. */
import { remembering } from "#core/lane/Remembering.ts"

export interface Answer {
  /** ASCII. */
  readonly body: string
  /** Names and values in turn, as node writes them fastest. */
  readonly headers: ReadonlyArray<string>
}

export const answer = (body: string): Answer => ({
  // In one piece: what is put together of parts is put together again each time it is sent.
  body: Buffer.from(body, "latin1").toString("latin1"),
  headers: headersFor(body.length)
})

/** One list for all answers of a length: thousands of them are kept. */
const headersFor = remembering(1000, (length: number): ReadonlyArray<string> => [
  "content-type",
  "text/xml",
  "cache-control",
  "no-store",
  "content-length",
  String(length)
])
