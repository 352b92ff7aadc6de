import * as http from "node:http"
import * as https from "node:https"
import { findFreePort } from "./peers/Loopback.ts"

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

  /** Listens and resolves to `http://127.0.0.1:PORT`, or `https:` with TLS. 0: a free port. */
  async start(wanted = 0): Promise<string> {
    const port = wanted === 0 ? await findFreePort() : wanted
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject)
      this.#server.listen(port, "127.0.0.1", resolve)
    })
    return `${this.#scheme}://127.0.0.1:${port}`
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }
}
