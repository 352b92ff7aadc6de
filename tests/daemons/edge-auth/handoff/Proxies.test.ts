/**
 * The shipped hand-over files of nginx and Caddy: from a host outside the cookie's domain to the login page and back
 * with a cookie.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { hash } from "node:crypto"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import * as Backend from "#support/edge/Backend.ts"
import { caddy, nginx, start } from "#support/edge/EdgeProxy.ts"
import { ask } from "#support/edge/RawRequest.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { startSuite } from "#support/TestSuite.ts"

const session = "5e".repeat(32)

for (const dialect of [nginx, caddy]) {
  describePeers([dialect.program], `handing over behind ${dialect.program}`, () => {
    it.live(
      "goes from the host to the login page and back, with the host name given by the proxy",
      () =>
        Effect.gen(function* () {
          const suite = yield* startSuite({
            daemons: [edgeAuth],
            env: {
              AUTH_COOKIE_DOMAIN: "example.org",
              SIGNALBOX_EDGE_AUTH_URL: "http://auth.example.org",
              SIGNALBOX_EDGE_AUTH_HANDOFF_PATH: "/.signalbox/handoff"
            }
          })
          const { sql } = suite
          yield* sql`insert into edge_auth.users (email, password, name, status, role) values ('ann@example.org', '', 'Ann', 'active', 'user')`
          yield* sql`insert into edge_auth.sessions (token, user_id, ip, user_agent, expires_at) select ${hash("sha256", session, "hex")}, id, '', '', now() + interval '1 day' from edge_auth.users`
          yield* sql`insert into edge_auth.protected_routes (host, path, required_role) values ('shop.example.net', '/', 'user'), ('other.example.net', '/', 'user')`
          const backend = yield* Backend.make()
          const port = yield* start(dialect, {
            edge: Number(new URL(suite.base("edge-auth")).port),
            backend: backend.port
          })
          /** Requests an address like a browser, and does not follow redirects. */
          const go = (address: string, headers: ReadonlyArray<string> = []) => {
            const url = new URL(address)
            return ask(port, url.host, `${url.pathname}${url.search}`, { headers })
          }
          const own = [`Cookie: __platform_auth=${session}`]
          const code = Effect.map(
            go(`http://auth.example.org/login?rd=${encodeURIComponent("http://shop.example.net/x?y=1")}`, own),
            ({ headers }) => headers["location"]!
          )

          const refused = yield* go("http://shop.example.net/x?y=1")
          assert.deepStrictEqual(
            [refused.status, refused.headers["location"]],
            [302, `http://auth.example.org/login?rd=${encodeURIComponent("http://shop.example.net/x?y=1")}`]
          )
          const address = yield* code
          assert.match(address, /^http:\/\/shop\.example\.net\/\.signalbox\/handoff\?code=[0-9a-f]{64}$/)
          const arrived = yield* go(address)
          assert.deepStrictEqual([arrived.status, arrived.headers["location"]], [303, "http://shop.example.net/x?y=1"])
          const [, token] = /^__platform_auth=([0-9a-f]{64}); Path=/.exec(arrived.headers["set-cookie"]!)!
          const passed = yield* go("http://shop.example.net/x?y=1", [`Cookie: __platform_auth=${token}`])
          assert.deepStrictEqual([passed.status, passed.seen?.headers["x-auth-user"]], [200, "ann@example.org"])
          assert.strictEqual((yield* go("http://other.example.net/", [`Cookie: __platform_auth=${token}`])).status, 302)

          // Forged headers cannot change the host for which a code was issued.
          const stolen = new URL(yield* code)
          const tried = yield* go(`http://other.example.net${stolen.pathname}${stolen.search}`, [
            "X-Forwarded-Host: shop.example.net",
            "X-Original-Url: http://shop.example.net/"
          ])
          assert.deepStrictEqual([tried.status, tried.headers["set-cookie"]], [403, undefined])
          assert.strictEqual((yield* go(stolen.href)).status, 403)
        }),
      120_000
    )
  })
}
