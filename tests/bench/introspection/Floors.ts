/**
 * Baselines for introspection, each in a separate process, chosen by the argument. `wire` answers without parsing HTTP
 * and shows the limit of the load client. `fixed` is node:http that reads the body and returns a constant. `verify` is
 * node:http with one token verification by jose.
 */
import { importJWK, type JWK, jwtVerify } from "jose"
import { createServer as createHttp, type IncomingMessage, Server as HttpServer, type ServerResponse } from "node:http"
import { type AddressInfo, createServer as createTcp, type Server } from "node:net"
import { keepAliveTimeout } from "#core/http/Listener.ts"

/** Keys and claims with which `verify` checks tokens. */
export interface Verification {
  readonly key: JWK
  readonly issuer: string
  readonly audience: string
}

/** Introspection answer for a valid token. */
const answer = JSON.stringify({
  active: true,
  username: "user1234@example.test",
  scope: "imap smtp",
  token_type: "Bearer",
  exp: 1_900_000_000
})

const send = (response: ServerResponse, text: string) => {
  response.writeHead(200, {
    "content-type": "application/json",
    "cache-control": "no-store",
    "content-length": Buffer.byteLength(text)
  })
  response.end(text)
}

/** Reads the body as one string, in the cheapest way of node:http. */
const read = (request: IncomingMessage, done: (body: string) => void) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString("latin1")))
  request.on("end", () => done(body))
}

const servers: Readonly<Record<string, (verification: Verification) => Promise<Server>>> = {
  wire: async () => {
    const bytes = `HTTP/1.1 200 OK\r\nContent-Length: ${answer.length}\r\n\r\n${answer}`
    return createTcp({ noDelay: true }, (socket) => {
      socket.on("data", () => socket.write(bytes, "latin1"))
      socket.on("error", () => socket.destroy())
    })
  },
  fixed: async () => createHttp((request, response) => read(request, () => send(response, answer))),
  verify: async ({ audience, issuer, key }) => {
    const imported = await importJWK(key)
    return createHttp((request, response) =>
      read(request, async (body) => {
        const { payload } = await jwtVerify(body.slice("token=".length), imported, {
          algorithms: ["EdDSA"],
          issuer,
          audience
        })
        send(
          response,
          JSON.stringify({
            active: true,
            username: payload["email"],
            scope: "imap smtp",
            token_type: "Bearer",
            exp: payload.exp
          })
        )
      })
    )
  }
}

process.once("message", async (verification: Verification) => {
  const server = await servers[process.argv[2]!]!(verification)
  // Longer than a connection idles between two orders, as in our daemon.
  if (server instanceof HttpServer) server.keepAliveTimeout = keepAliveTimeout
  server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }))
})
process.on("disconnect", () => process.exit(0))
