/**
 * WebSocket endpoint of a switch for tests. It behaves like FreeSWITCH (captures in tests/goldens/freeswitch-ws):
 * accepts any upgrade, challenges and registers, adds the source address to Via, ignores keep-alives. It does not
 * verify passwords; any credentials that match `response` are accepted.
 */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { type WebSocket, WebSocketServer } from "ws"

export class SipSwitch {
  /** Received frames. */
  readonly heard: Array<string> = []
  readonly sockets: Array<WebSocket> = []
  readonly closed: Array<number> = []
  /** Whether it answers REGISTER and OPTIONS. */
  answers = true
  /** Pattern of accepted credentials in a REGISTER. */
  response: RegExp = /response="[0-9a-f]{32}"/
  readonly #server: WebSocketServer

  private constructor(server: WebSocketServer) {
    this.#server = server
    server.on("connection", (socket, request) => {
      this.sockets.push(socket)
      socket.on("error", () => undefined)
      socket.on("close", (code) => this.closed.push(code))
      socket.on("message", (data) => {
        const text = (data as Buffer).toString("latin1")
        this.heard.push(text)
        if (this.answers && /^(REGISTER|OPTIONS) /.test(text))
          socket.send(this.#answer(text, request.socket.remotePort ?? 0))
      })
    })
  }

  static async start(port = 0): Promise<SipSwitch> {
    const server = new WebSocketServer({ port, host: "127.0.0.1", handleProtocols: () => "sip" })
    await once(server, "listening")
    return new SipSwitch(server)
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}`
  }

  /** Stops listening and cuts every connection. */
  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.terminate()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #answer(text: string, port: number): string {
    const lines = text.split("\r\n\r\n", 1)[0]!.split("\r\n")
    const of = (name: string) => lines.find((line) => line.toLowerCase().startsWith(`${name}:`))!
    const signed = lines.find((line) => line.startsWith("Authorization:"))
    const [start, more] = !text.startsWith("REGISTER ")
      ? ["SIP/2.0 200 OK", []]
      : signed === undefined
        ? [
            "SIP/2.0 401 Unauthorized",
            ['WWW-Authenticate: Digest realm="lab.example", nonce="1", algorithm=MD5, qop="auth"']
          ]
        : this.response.test(signed)
          ? ["SIP/2.0 200 OK", lines.filter((line) => line.startsWith("Contact:"))]
          : ["SIP/2.0 403 Forbidden", []]
    return [
      start,
      `${of("via")};received=127.0.0.1;rport=${port}`,
      of("from"),
      `${of("to")};tag=s1`,
      of("call-id"),
      of("cseq"),
      ...more,
      "Content-Length: 0",
      "",
      ""
    ].join("\r\n")
  }
}
