import * as http from "node:http"
import type { AddressInfo } from "node:net"

/** A request with its complete body. */
export interface Incoming {
  readonly request: http.IncomingMessage
  readonly response: http.ServerResponse
  readonly body: string
  /** The body as raw bytes. */
  readonly bytes: Buffer
}

/** An HTTP server on loopback for doubles. `stop` cuts open connections. */
export class HttpDouble {
  readonly #server: http.Server

  constructor(handle: (incoming: Incoming) => void) {
    this.#server = http.createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("error", () => {})
      request.on("end", () => {
        const bytes = Buffer.concat(chunks)
        handle({ request, response, body: bytes.toString("utf8"), bytes })
      })
    })
  }

  /** Listens and resolves to `http://127.0.0.1:PORT`. */
  start(port = 0): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject)
      this.#server.listen(port, "127.0.0.1", () =>
        resolve(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`)
      )
    })
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }
}
