/**
 * Makes ESEARCH responses readable for imapflow. The parser of imapflow 2.1.2 accepts a number set only with a space
 * behind it and drops `PARTIAL (1:50 7:56)` (RFC 9394 §4). This file wraps the private `streamer.read` of imapflow and
 * inserts the space, because the library has no option for it.
 */
import type { ImapFlow } from "imapflow"

interface Answer {
  payload?: Buffer
}

const start = Buffer.from("* ESEARCH ")

/** `payload` is one response of the server. */
export const readable = (payload: Buffer): Buffer =>
  payload.subarray(0, start.length).equals(start)
    ? Buffer.from(payload.toString("latin1").replace(/(\d)\)/g, "$1 )"), "latin1")
    : payload

/** Installs the rewriting; call before the client connects. */
export const readEsearch = (client: ImapFlow): void => {
  const { streamer } = client as unknown as { readonly streamer: { read: () => Answer | null } }
  const read = streamer.read.bind(streamer)
  streamer.read = () => {
    const answer = read()
    if (answer?.payload !== undefined) answer.payload = readable(answer.payload)
    return answer
  }
}
