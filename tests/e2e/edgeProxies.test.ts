/**
 * The shipped nginx and Caddy files in front of a backend that trusts all headers: the rules of /verify, forged client
 * headers in all spellings, uploads, WebSockets, and an unreachable edge. Source: interface document 3 §4.2.
 */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { hash } from "node:crypto"
import type { Socket } from "node:net"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import * as AwayPostgres from "#support/AwayPostgres.ts"
import * as Door from "#support/Door.ts"
import * as Backend from "#support/edge/Backend.ts"
import { caddy, nginx, start } from "#support/edge/EdgeProxy.ts"
import { type Ask, ask, type Reply, send } from "#support/edge/RawRequest.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"
import { untilWithin } from "#support/Within.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"
/** Size of the upload. Unit: bytes. */
const upload = (long ? 200 : 20) * 1024 * 1024

const [user, admin, stale] = ["5e".repeat(32), "ad".repeat(32), "01".repeat(32)] as const
const cookie = (token: string) => `Cookie: other=1; __platform_auth=${token}`

class Place extends Context.Service<
  Place,
  {
    readonly suite: TestSuite
    readonly edge: Door.Door
    readonly backend: Backend.Backend
    readonly postgres: { readonly away: Effect.Effect<void>; readonly back: Effect.Effect<void> }
  }
>()("test/Place") {
  static readonly layer = Layer.effect(
    Place,
    Effect.gen(function* () {
      const { away, back, database } = yield* AwayPostgres.make
      const suite = yield* startSuite({
        daemons: [edgeAuth],
        database,
        // 127.0.0.1 is the proxy; other loopback addresses are clients.
        env: {
          AUTH_COOKIE_DOMAIN: "example.org",
          // The proxies of the test speak plain http, so the address with https must be configured.
          SIGNALBOX_EDGE_AUTH_URL: "https://auth.example.org",
          SIGNALBOX_TRUSTED_PROXIES: "127.0.0.1/32"
        }
      })
      const { sql } = suite
      yield* sql`insert into edge_auth.users (email, password, name, status, role)
      values ('ann@example.org', '', 'Änn', 'active', 'user'), ('root@example.org', '', 'Root', 'active', 'admin')`
      const session = (token: string, email: string, ends: string) =>
        sql`insert into edge_auth.sessions (token, user_id, ip, user_agent, expires_at)
        select ${hash("sha256", token, "hex")}, id, '', '', now() + ${ends}::interval from edge_auth.users where email = ${email}`
      yield* session(user, "ann@example.org", "1 day")
      yield* session(admin, "root@example.org", "1 day")
      yield* session(stale, "root@example.org", "-1 minute")
      yield* sql`insert into edge_auth.protected_routes (host, path, required_role, enabled) values
      ('app.example.org', '/private', 'user', 1), ('app.example.org', '/admin', 'admin', 1), ('app.example.org', '/off', 'user', 0),
      ('app.example.org', '/socket', 'user', 1), ('[2001:db8::1]', '/private', 'user', 1), ('app.other.test', '/', 'user', 1), ('unasked.example.org', '/', 'user', 1)`
      const edge = yield* Door.make({ port: Number(new URL(suite.base("edge-auth")).port) })
      return { suite, edge, backend: yield* Backend.make(), postgres: { away, back } }
    })
  )
}

const app = "app.example.org"
/** Forged identity headers of a client, in every spelling that some backend treats as ours. */
const claims = [
  "X-Auth-User: root@example.org",
  "x-auth-user: root@example.org",
  "X-AUTH-USER: root@example.org",
  "X-Auth-Name: Root",
  "X-Auth-Role: admin",
  "X-Auth-Role: admin",
  "X_Auth_User: root@example.org",
  "x_auth_role: admin",
  "X_AUTH_NAME: Root",
  "X-Auth-Name-Encoded: Root",
  "X-Auth-Name_Encoded: Root",
  "X_Auth_Name_Encoded: Root",
  "X-Auth_User: root@example.org",
  "X_Auth-User: root@example.org",
  "x-auth_role: admin",
  "x_auth-role: admin",
  "X-Auth-Mode: status",
  "X-Forwarded-Host: open.example.org",
  "x-forwarded-host: open.example.org",
  "X-Forwarded-Uri: /",
  "X-Forwarded-For: 203.0.113.7",
  "X-Forwarded-Proto: http",
  "X-Forwarded-Method: OPTIONS",
  "X-Original-Url: http://open.example.org/",
  "X-Original-Uri: /",
  "Forwarded: host=open.example.org"
]

/** Identity headers as a CGI-like backend sees them, which folds header names. Empty values are skipped. */
const believed = ({ seen }: Reply): ReadonlyArray<string> =>
  seen!.raw
    .flatMap((name, index) =>
      index % 2 === 0 && /^x.auth.(user|name|name.encoded|role)$/i.test(name) && seen!.raw[index + 1] !== ""
        ? [`${name.toLowerCase()}: ${seen!.raw[index + 1]}`]
        : []
    )
    .toSorted()

for (const dialect of [nginx, caddy]) {
  describePeers([dialect.program], `the edge behind ${dialect.program}`, () => {
    layer(Place.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
      class Proxy extends Context.Service<
        Proxy,
        {
          readonly port: number
          readonly get: (host: string | undefined, target: string, options?: Ask) => Effect.Effect<Reply>
        }
      >()("test/Proxy") {
        static readonly layer = Layer.effect(
          Proxy,
          Effect.gen(function* () {
            const { backend, edge } = yield* Place
            const port = yield* start(dialect, { edge: edge.port, backend: backend.port, banned: ["127.0.0.66/32"] })
            return {
              port,
              get: (host: string | undefined, target: string, options?: Ask) => ask(port, host, target, options)
            }
          })
        )
      }

      it.layer(Proxy.layer, { timeout: 60_000 })((it) => {
        /** Sends a request that must not reach the backend. Returns the reply. */
        const refused = Effect.fnUntraced(function* (host: string | undefined, target: string, options?: Ask) {
          const { backend } = yield* Place
          const before = backend.reached()
          const reply = yield* (yield* Proxy).get(host, target, options)
          assert.deepStrictEqual(
            [reply.seen, backend.reached() - before],
            [undefined, 0],
            `${host} ${target} ${reply.status}`
          )
          assert.isAtLeast(reply.status, 300, `${host} ${target}`)
          return reply
        })
        const passed = Effect.fnUntraced(function* (host: string, target: string, options?: Ask) {
          const reply = yield* (yield* Proxy).get(host, target, options)
          assert.deepStrictEqual(
            [reply.status, reply.seen === undefined],
            [200, false],
            `${host} ${target} ${reply.text}`
          )
          return reply
        })
        const loginFor = ({ headers }: Reply) => new URL(headers["location"]!).searchParams.get("rd")

        it.effect(
          "follows the seven rules",
          () =>
            Effect.gen(function* () {
              // Rule 1: an address without an enabled route is open, and the backend gets no identity.
              assert.deepStrictEqual(believed(yield* passed("open.example.org", "/x", { headers: [cookie(user)] })), [])
              assert.deepStrictEqual(believed(yield* passed(app, "/public", { headers: [cookie(user)] })), [])
              // Rule 2: authorised users pass, and the backend gets their identity.
              assert.deepStrictEqual(believed(yield* passed(app, "/private/x?y=1", { headers: [cookie(user)] })), [
                "x-auth-name-encoded: UTF-8''%C3%84nn",
                "x-auth-name: %C3%84nn",
                "x-auth-role: user",
                "x-auth-user: ann@example.org"
              ])
              assert.deepStrictEqual(believed(yield* passed(app, "/admin", { headers: [cookie(admin)] })), [
                "x-auth-name-encoded: UTF-8''Root",
                "x-auth-name: Root",
                "x-auth-role: admin",
                "x-auth-user: root@example.org"
              ])
              // Other cookies of the same name do not matter.
              yield* passed(app, "/private", {
                headers: [cookie("f".repeat(64)), `Cookie: __platform_auth=x; __platform_auth=${user}`]
              })
              // Rule 3: without a session, with an unknown or an expired one, the answer redirects to the login page
              // with a return address.
              for (const headers of [
                [],
                [cookie("f".repeat(64))],
                [cookie(stale)],
                ["Cookie: __platform_auth="],
                [`Authorization: Bearer ${user}`]
              ]) {
                const login = yield* refused(app, "/private/x?y=1&z=%20", { headers })
                assert.deepStrictEqual([login.status, loginFor(login)], [302, `http://${app}/private/x?y=1&z=%20`])
                assert.isTrue(login.headers["location"]!.startsWith("https://auth.example.org/login?rd="))
                assert.include(login.headers["cache-control"], "no-store")
              }
              // Rule 4: a missing role.
              assert.strictEqual((yield* refused(app, "/admin/x", { headers: [cookie(user)] })).status, 403)
              // Rule 5: a disabled route, or a host without authentication in the proxy.
              yield* passed(app, "/off")
              yield* passed("unasked.example.org", "/")
              // Rule 7: a host outside the cookie's domain.
              assert.strictEqual(loginFor(yield* refused("app.other.test", "/")), "http://app.other.test/")
              // /verify is not reachable from outside.
              assert.strictEqual(
                (yield* refused("auth.example.org", "/verify", {
                  headers: ["X-Forwarded-Host: open.example.org", "X-Forwarded-Uri: /"]
                })).status,
                404
              )
              assert.strictEqual(
                (yield* refused("open.example.org", "/.signalbox-edge-verify").pipe(
                  Effect.catchDefect(() => passed("open.example.org", "/.signalbox-edge-verify"))
                )).status < 500,
                true
              )
            }),
          60_000
        )

        it.effect(
          "refuses a banned address by the file, at the login pages",
          () =>
            Effect.gen(function* () {
              const { get } = yield* Proxy
              const login = (from: string) =>
                Effect.map(get("auth.example.org", "/login", { from }), ({ status }) => status)
              assert.deepStrictEqual([yield* login("127.0.0.66"), yield* login("127.0.0.67")], [403, 200])
              if (dialect.program !== "nginx") return
              assert.strictEqual((yield* refused("open.example.org", "/x", { from: "127.0.0.66" })).status, 403)
            }),
          60_000
        )

        it.effect(
          "believes nothing that a client says",
          () =>
            Effect.gen(function* () {
              assert.deepStrictEqual(believed(yield* passed("open.example.org", "/x", { headers: claims })), [])
              assert.deepStrictEqual(
                believed(yield* passed(app, "/private/x", { headers: [...claims, cookie(user)] })),
                [
                  "x-auth-name-encoded: UTF-8''%C3%84nn",
                  "x-auth-name: %C3%84nn",
                  "x-auth-role: user",
                  "x-auth-user: ann@example.org"
                ]
              )
              const sent = yield* refused(app, "/private/x", { headers: claims })
              assert.deepStrictEqual([sent.status, loginFor(sent)], [302, `http://${app}/private/x`])
              assert.strictEqual((yield* refused(app, "/admin", { headers: [...claims, cookie(user)] })).status, 403)
              // Headers that the request asks the next hop to remove (Connection).
              for (const name of ["X-Forwarded-Host", "X-Forwarded-Uri", "X-Auth-User", "Cookie"])
                yield* refused(app, "/private", { headers: [`Connection: close, ${name}`, ...claims] })
            }),
          60_000
        )

        it.effect(
          "knows a protected place however it is spelled",
          () =>
            Effect.gen(function* () {
              const long = `/${"x/../".repeat(1_700)}private`
              const paths = [
                "/private",
                "/private/",
                "//private",
                "///private//x",
                "/./private",
                "/%2e/private",
                "/public/../private",
                "/public/%2e%2e/private",
                "/public/%2E%2E/private",
                "/../private",
                "/%2e%2e/private",
                "/private%2fx",
                "/private%2Fx",
                "/public%2f..%2fprivate",
                "/public/..%2fprivate",
                "/private%5cx",
                "\\private",
                "/\\private",
                "/public\\..\\private",
                "/public/..%5cprivate",
                "/private;a=b",
                "/private;/x",
                "/;a=b/private",
                "/public/..;/private",
                "/PRIVATE",
                "/Private/x",
                "/%70rivate",
                "/%2570rivate",
                "/%252570rivate",
                "/pri%76ate",
                "/private?x=/public",
                "/private%3fx",
                "/private%00",
                "/private%00.png",
                "/private%20",
                "/private.",
                "/private./x",
                "/private%2e/x",
                "/%09/../private",
                "/private#/public",
                "/private%23x",
                `/private/${"y".repeat(3_000)}`,
                long
              ]
              for (const path of paths) yield* refused(app, path)
              for (const path of [
                "/",
                "/privateer",
                "/public/private",
                "/x?/private",
                "/x?a=/../private",
                "/x%3f/private",
                `/${"y".repeat(3_000)}`
              ])
                yield* passed(app, path)
              // The same for roles: no spelling of a stricter path may match a less strict one.
              for (const path of [
                "/private/../admin",
                "/private/%2e%2e/admin",
                "/private/..%2fadmin",
                "/private/..;/admin",
                "/ADMIN",
                "//admin"
              ])
                yield* refused(app, path, { headers: [cookie(user)] })
            }),
          60_000
        )

        it.effect(
          "knows a host however it is written, and whatever form a request has",
          () =>
            Effect.gen(function* () {
              for (const host of [
                "APP.Example.ORG",
                "app.example.org.",
                "app.example.org:8443",
                "app.example.org.:80",
                "[2001:db8::1]",
                "[2001:db8::1]:8080",
                "[2001:DB8::1]",
                "[2001:db8:0:0:0:0:0:1]",
                "[2001:0db8::0001]"
              ]) {
                yield* refused(host, "/private")
              }
              yield* passed("[2001:db8::2]", "/private")
              for (const host of [
                "app.example.org, open.example.org",
                "app.example.org/",
                "app.example.org@open.example.org",
                "",
                "app.example.org app",
                "..",
                "app..example.org"
              ])
                yield* refused(host, "/private")
              // A target in absolute form names the host and overrides the Host header.
              yield* refused(app, `http://${app}/private`)
              yield* refused("open.example.org", `http://${app}/private`)
              yield* refused(app, `http://${app.toUpperCase()}:80//private`)
              // Two Host headers, and no Host header.
              yield* refused(app, "/private", { headers: ["Host: open.example.org"] })
              yield* refused("open.example.org", "/private", { headers: [`Host: ${app}`] })
              yield* refused(undefined, "/private")
              yield* refused(undefined, "/private", { version: "1.0", headers: claims })
              yield* refused(app, "/private", { version: "1.0" })
              yield* passed(app, "/private", { version: "1.0", headers: [cookie(user)] })
              for (const method of ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "PROPFIND"]) {
                const body = ["POST", "PUT", "PATCH"].includes(method) ? { body: "x=1" } : {}
                assert.strictEqual((yield* refused(app, "/private", { method, ...body })).status, 302, method)
                const { status } = yield* (yield* Proxy).get(app, "/private", {
                  method,
                  ...body,
                  headers: [cookie(user)]
                })
                assert.strictEqual(status, 200, method)
              }
              assert.strictEqual(
                (yield* passed(app, "/private", { method: "POST", body: "x=1", headers: [cookie(user)] })).seen!.body,
                3
              )
              for (const method of ["TRACE", "CONNECT"]) yield* refused(app, "/private", { method })
              // Headers beyond the edge's limit cannot be verified, so the request is refused.
              yield* refused(app, "/private", {
                headers: Array.from({ length: 6 }, (_, index) => `X-Long-${index}: ${"x".repeat(4_000)}`)
              })
            }),
          60_000
        )

        it.effect(
          "asks before a WebSocket is opened",
          () =>
            Effect.gen(function* () {
              const { port } = yield* Proxy
              const handshake = (...headers: ReadonlyArray<string>) =>
                [
                  `GET /socket HTTP/1.1`,
                  `Host: ${app}`,
                  "Connection: Upgrade",
                  "Upgrade: websocket",
                  `Sec-WebSocket-Key: ${Buffer.from("0123456789abcdef").toString("base64")}`,
                  "Sec-WebSocket-Version: 13",
                  ...headers,
                  "",
                  ""
                ].join("\r\n")
              const { backend } = yield* Place
              const before = backend.reached()
              const nobody = yield* send(port, handshake(), { until: "\r\n\r\n" })
              assert.deepStrictEqual([nobody.status, backend.reached() - before], [302, 0])
              const opened = yield* send(port, handshake(cookie(user), "X-Auth-User: root@example.org"), {
                more: (socket: Socket) => socket.once("data", () => socket.write("said to the backend and back")),
                until: "said to the backend and back"
              })
              assert.deepStrictEqual([opened.status, opened.headers["x-seen-user"]], [101, "ann@example.org"])
            }),
          60_000
        )

        it.effect(
          "lets an upload pass beside the edge, and refuses one before it has come",
          () =>
            Effect.gen(function* () {
              const { port } = yield* Proxy
              const { edge } = yield* Place
              const head = (...lines: ReadonlyArray<string>) =>
                [`POST /private/upload HTTP/1.1`, `Host: ${app}`, "Connection: close", ...lines, "", ""].join("\r\n")
              const before = edge.carried()
              const taken = yield* send(port, head(cookie(user), `Content-Length: ${upload}`), {
                more: (socket) => {
                  const chunk = Buffer.alloc(1024 * 1024, 1)
                  let left = upload
                  const write = () => {
                    while (left > 0) {
                      left -= chunk.length
                      if (!socket.write(chunk)) return void socket.once("drain", write)
                    }
                  }
                  write()
                }
              })
              assert.deepStrictEqual([taken.status, taken.seen!.body], [200, upload])
              assert.isBelow(edge.carried() - before, 4_096)
              // A chunked body, without Content-Length.
              const pieces = yield* send(
                port,
                `${head(cookie(user), "Transfer-Encoding: chunked")}3\r\nx=1\r\n0\r\n\r\n`
              )
              assert.deepStrictEqual([pieces.status, pieces.seen!.body], [200, 3])
              // A request whose body never arrives.
              assert.strictEqual((yield* send(port, head(`Content-Length: ${upload}`))).status, 302)
            }),
          120_000
        )

        it.effect(
          "counts failed sign-ins by the address that the proxy saw",
          () =>
            Effect.gen(function* () {
              const { get } = yield* Proxy
              const [attacker, neighbour, accused] =
                dialect === nginx ? ["127.0.1.2", "127.0.1.3", "127.0.1.4"] : ["127.0.2.2", "127.0.2.3", "127.0.2.4"]
              const page = yield* get("auth.example.org", "/login")
              const [formCookie = "", token = ""] = /^__Host-edge_form=([^;]*)/.exec(page.headers["set-cookie"]!)!
              const signIn = (from: string, claimed: string) =>
                get("auth.example.org", "/login", {
                  method: "POST",
                  from,
                  headers: [
                    `Cookie: ${formCookie}`,
                    "Origin: https://auth.example.org",
                    "Content-Type: application/x-www-form-urlencoded",
                    `X-Forwarded-For: ${claimed}`,
                    `X-Real-Ip: ${claimed}`,
                    `Forwarded: for=${claimed}`
                  ],
                  body: new URLSearchParams({
                    form_token: token,
                    email: "nobody@example.org",
                    password: "x"
                  }).toString()
                })
              const { sql } = (yield* Place).suite
              yield* sql`insert into edge_auth.login_attempts (ip) select ${attacker} from generate_series(1, 10)`
              assert.strictEqual((yield* signIn(attacker, accused)).status, 401)
              const blocked = yield* signIn(attacker, accused)
              assert.strictEqual(blocked.status, 429)
              assert.isAbove(Number(blocked.headers["retry-after"]), 0)
              assert.strictEqual((yield* signIn(neighbour, attacker)).status, 401)
              assert.strictEqual((yield* signIn(accused, "")).status, 401)
            }),
          120_000
        )

        it.effect(
          "lets nobody pass while the edge or its Postgres is away",
          () =>
            Effect.gen(function* () {
              const { edge, postgres } = yield* Place
              const places = [
                ["open.example.org", "/"],
                [app, "/private"]
              ] as const
              const closed = Effect.fnUntraced(function* () {
                for (const [host, path] of places)
                  assert.isAtLeast((yield* refused(host, path, { headers: [cookie(admin)] })).status, 500)
              })
              const open = Effect.map(
                Effect.flatMap(Proxy, ({ get }) => get(app, "/private", { headers: [cookie(user)] })),
                ({ status }) => status === 200
              )
              yield* edge.set("shut")
              yield* closed()
              yield* edge.set(Door.badGateway)
              yield* closed()
              yield* edge.set("mute")
              assert.isAtLeast((yield* refused(app, "/private", { headers: [cookie(user)] })).status, 500)
              yield* edge.set("open")
              yield* untilWithin(30, "the proxy asks the edge again", open)
              yield* postgres.away
              const { get } = yield* Proxy
              yield* untilWithin(
                30,
                "the picture is too old",
                Effect.map(get(app, "/private", { headers: [cookie(user)] }), ({ status }) => status >= 500)
              )
              yield* closed()
              yield* postgres.back
              yield* untilWithin(60, "the picture is compared again", open)
            }),
          120_000
        )
      })
    })
  })
}
