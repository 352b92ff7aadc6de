import * as http from "node:http"
import * as https from "node:https"
import type { AddressInfo } from "node:net"

/** A request with its complete body. */
export interface Incoming {
  readonly request: http.IncomingMessage
  readonly response: http.ServerResponse
  readonly body: string
  /** The body as raw bytes. */
  readonly bytes: Buffer
}

/** Certificate and private key of a server, PEM. */
export interface ServerTls {
  readonly cert: string
  readonly key: string
}

/** An HTTP server on loopback for doubles, with TLS when it has a certificate. `stop` cuts open connections. */
export class HttpDouble {
  readonly #server: http.Server | https.Server
  readonly #scheme: string

  constructor(handle: (incoming: Incoming) => void, tls?: ServerTls) {
    const listener: http.RequestListener = (request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("error", () => {})
      request.on("end", () => {
        const bytes = Buffer.concat(chunks)
        handle({ request, response, body: bytes.toString("utf8"), bytes })
      })
    }
    this.#server = tls === undefined ? http.createServer(listener) : https.createServer({ ...tls }, listener)
    this.#scheme = tls === undefined ? "http" : "https"
  }

  /** Listens and resolves to `http://127.0.0.1:PORT`, or `https:` with TLS. */
  start(port = 0): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject)
      this.#server.listen(port, "127.0.0.1", () =>
        resolve(`${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`)
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
