/**
 * Baseline for edge-auth: bare node:http in a separate process that does the same work from memory. It looks up the
 * route, finds the cookie, hashes its token, looks up session and user, and sends the same headers.
 */
import { hash } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { keepAliveTimeout } from "#core/http/Listener.ts"

/** Data with which the baseline starts. */
export interface FloorOrder {
  /** SHA-256 of each token, and the id of its user. */
  readonly sessions: ReadonlyArray<readonly [string, number]>
  readonly users: ReadonlyArray<
    readonly [number, { readonly email: string; readonly name: string; readonly role: string }]
  >
  /** Hosts with their protected path prefixes, which require a session. */
  readonly routes: ReadonlyArray<readonly [string, ReadonlyArray<string>]>
}

const cookie = /(?:^|; )__platform_auth=([0-9a-f]{64})(?:;|$)/

process.once("message", (order: FloorOrder) => {
  const [sessions, users, routes] = [new Map(order.sessions), new Map(order.users), new Map(order.routes)]
  const server = createServer((request, response) => {
    const { cookie: cookies, "x-forwarded-host": host, "x-forwarded-uri": uri } = request.headers
    const prefixes = routes.get(host as string)
    if (prefixes === undefined || !prefixes.some((prefix) => (uri as string).startsWith(prefix))) {
      response.writeHead(200, [
        "cache-control",
        "no-store",
        "x-auth-user",
        "",
        "x-auth-name",
        "",
        "x-auth-role",
        "",
        "content-length",
        "0"
      ])
      return response.end()
    }
    const token = cookie.exec(cookies ?? "")?.[1]
    const user = users.get(sessions.get(token === undefined ? "" : hash("sha256", token, "hex")) ?? 0)
    response.writeHead(user === undefined ? 302 : 200, [
      "cache-control",
      "no-store",
      "x-auth-user",
      user?.email ?? "",
      "x-auth-name",
      user?.name ?? "",
      "x-auth-role",
      user?.role ?? "",
      "content-length",
      "0"
    ])
    response.end()
  })
  server.keepAliveTimeout = keepAliveTimeout
  server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }))
})
process.on("disconnect", () => process.exit(0))
