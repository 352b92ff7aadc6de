/**
 * The shipped nginx and Caddy files: WebSockets, uploads, addresses of clients, and an edge or database that is away.
 * Source: interface document 3 §4.2.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Socket } from "node:net"
import * as Door from "#support/Door.ts"
import { nginx } from "#support/edge/EdgeProxy.ts"
import { send } from "#support/edge/RawRequest.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { untilWithin } from "#support/Within.ts"
import { admin, app, behind, cookie, dialects, Place, Proxy, refused, user } from "./EdgePlace.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"
/** Size of the upload. Unit: bytes. */
const upload = (long ? 200 : 20) * 1024 * 1024

for (const dialect of dialects) {
  describePeers([dialect.program], `traffic to the edge behind ${dialect.program}`, () => {
    layer(behind(dialect), { excludeTestServices: true, timeout: 60_000 })((it) => {
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
        120_000
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
            const pieces = yield* send(port, `${head(cookie(user), "Transfer-Encoding: chunked")}3\r\nx=1\r\n0\r\n\r\n`)
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
                body: new URLSearchParams({ form_token: token, email: "nobody@example.org", password: "x" }).toString()
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
}
