/**
 * A service behind a proxy that believes whatever it is told: answers what it was sent, and speaks back over an
 * upgraded connection.
 */
import { Effect, type Scope } from "effect"
import { createHash } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"

/** What reached it. */
export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Names and values in turn, as they were sent. */
  readonly raw: ReadonlyArray<string>
  /** Of the body. Unit: bytes. */
  readonly body: number
}

export interface Backend {
  readonly port: number
  /** Requests that reached it. */
  readonly reached: () => number
}

/** RFC 6455 §1.3. */
const magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

/** `page`: answered in place of what was sent, to who asks for text/html. */
export const make = (page?: (seen: Seen) => string): Effect.Effect<Backend, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<{ readonly server: Server; readonly reached: () => number }>((resolve) => {
            let reached = 0
            const server = createServer((request, response) => {
              reached += 1
              let body = 0
              request
                .on("data", (chunk: Buffer) => (body += chunk.length))
                .on("end", () => {
                  const seen = {
                    method: request.method,
                    url: request.url,
                    headers: request.headers,
                    raw: request.rawHeaders,
                    body
                  } as Seen
                  const html = page !== undefined && request.headers.accept?.includes("text/html") === true
                  response.setHeader("content-type", html ? "text/html; charset=utf-8" : "application/json")
                  response.end(html ? page(seen) : JSON.stringify(seen))
                })
            })
            // What comes over the upgraded connection goes back as it is.
            server.on("upgrade", (request, socket) => {
              reached += 1
              const accept = createHash("sha1")
                .update(`${request.headers["sec-websocket-key"]}${magic}`)
                .digest("base64")
              const user = request.headers["x-auth-user"] ?? ""
              socket.on("error", () => socket.destroy())
              socket.write(
                `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nX-Seen-User: ${user}\r\n\r\n`
              )
              socket.pipe(socket)
            })
            server.listen(0, "127.0.0.1", () => resolve({ server, reached: () => reached }))
          })
      ),
      ({ server }) =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    ),
    ({ reached, server }) => ({ port: (server.address() as AddressInfo).port, reached })
  )
