/** Test client of SIP over WebSocket: sends given messages and collects received ones. */
import { once } from "node:events"
import WebSocket, { type ClientOptions } from "ws"

export class SipClient {
  readonly heard: Array<string> = []
  closed: number | undefined
  readonly socket: WebSocket

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on("message", (data) => this.heard.push((data as Buffer).toString("latin1")))
    socket.on("error", () => undefined)
    socket.on("close", (code) => (this.closed = code))
  }

  /** `base`: address of the daemon or the gateway, `http://…`. */
  static async open(base: string, options: ClientOptions = {}): Promise<SipClient> {
    const client = new SipClient(new WebSocket(`${base.replace("http", "ws")}/sip`, "sip", options))
    await once(client.socket, "open")
    return client
  }

  say(text: string | Buffer, options: { readonly binary?: boolean; readonly fin?: boolean } = {}): void {
    this.socket.send(text, options)
  }
}

/** A request as a WSS client writes it. `more`: additional header lines. */
export const sipRequest = (method: string, cseq = 1, more: ReadonlyArray<string> = [], body = ""): string =>
  [
    `${method} sip:lab.example SIP/2.0`,
    `Via: SIP/2.0/WSS a.invalid;branch=z9hG4bK${cseq}`,
    "Max-Forwards: 70",
    "To: <sip:1001@lab.example>",
    "From: <sip:1001@lab.example>;tag=1",
    "Call-ID: one@lab",
    `CSeq: ${cseq} ${method}`,
    "Contact: <sip:1001@a.invalid;transport=wss>;expires=300",
    ...more,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body
  ].join("\r\n")
