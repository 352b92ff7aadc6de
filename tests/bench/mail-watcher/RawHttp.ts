/**
 * A bare HTTP client on one kept-alive connection. It sends a request and waits for the complete answer. Node's own
 * client takes as long as the daemon itself, and only the daemon is to be measured. Supports only answers with
 * Content-Length.
 */
import { once } from "node:events"
import { connect, type Socket } from "node:net"

export class RawHttp {
  readonly #socket: Socket
  #heard: Buffer = Buffer.alloc(0)
  #waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on("data", (bytes) => this.#hear(bytes))
    socket.on("close", () => this.#waiting?.reject(new Error("the connection was closed")))
  }

  static async open(port: number): Promise<RawHttp> {
    const socket = connect(port, "127.0.0.1")
    await once(socket, "connect")
    return new RawHttp(socket)
  }

  /** `headers`: complete header lines. Rejects when the status is not 200. */
  get(path: string, headers: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #hear(bytes: Buffer): void {
    this.#heard = this.#heard.length === 0 ? bytes : Buffer.concat([this.#heard, bytes])
    const end = this.#heard.indexOf("\r\n\r\n")
    if (end === -1) return
    const head = this.#heard.toString("latin1", 0, end)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
    if (this.#heard.length < end + 4 + length) return
    this.#heard = Buffer.alloc(0)
    const waiting = this.#waiting
    this.#waiting = undefined
    if (head.startsWith("HTTP/1.1 200 ")) waiting?.resolve()
    else waiting?.reject(new Error(head))
  }
}
