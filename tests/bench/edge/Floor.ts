/**
 * The server that ours is compared with, in a process of its own: bare node:http that does the same in memory and
 * nothing else. The route is looked up, the cookie found, its token hashed, session and user looked up, the same
 * headers sent.
 */
import { hash } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { keepAliveTimeout } from "#core/http/Listener.ts"

/** What a floor is started with. */
export interface FloorOrder {
  /** SHA-256 of a token, and whose it is. */
  readonly sessions: ReadonlyArray<readonly [string, number]>
  readonly users: ReadonlyArray<
    readonly [number, { readonly email: string; readonly name: string; readonly role: string }]
  >
  /** Hosts, and below which paths who is unknown does not pass. */
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
