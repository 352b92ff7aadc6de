/**
 * ESEARCH answers made readable for the IMAP library: its parser (2.1.2) takes a set of numbers only with a blank behind it and drops
 * `PARTIAL (1:50 7:56)` (RFC 9394 §4) whole. The blank is put in before it looks.
 */
import type { ImapFlow } from "imapflow"

interface Answer {
  payload?: Buffer
}

const start = Buffer.from("* ESEARCH ")

/** `payload`: one answer of a server. */
export const readable = (payload: Buffer): Buffer =>
  payload.subarray(0, start.length).equals(start)
    ? Buffer.from(payload.toString("latin1").replace(/(\d)\)/g, "$1 )"), "latin1")
    : payload

/** To be called before the client connects. */
export const readEsearch = (client: ImapFlow): void => {
  const { streamer } = client as unknown as { readonly streamer: { read: () => Answer | null } }
  const read = streamer.read.bind(streamer)
  streamer.read = () => {
    const answer = read()
    if (answer?.payload !== undefined) answer.payload = readable(answer.payload)
    return answer
  }
}
