/**
 * A service behind a proxy that trusts all headers. It answers with the request it received, and echoes over an
 * upgraded connection.
 */
import { Effect, type Scope } from "effect"
import { createHash } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"

/** Request that the backend received. */
export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Header names and values alternating, in received order. */
  readonly raw: ReadonlyArray<string>
  /** Size of the body. Unit: bytes. */
  readonly body: number
}

export interface Backend {
  readonly port: number
  /** Number of requests received. */
  readonly reached: () => number
}

/** GUID of the WebSocket handshake. Source: RFC 6455 §1.3. */
const magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

/** `page`: HTML answer for requests that accept text/html, instead of the echo. */
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
            // Echoes all bytes of the upgraded connection.
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
