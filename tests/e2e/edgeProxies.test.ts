/**
 * The shipped nginx and Caddy files: the rules of /verify, forged client headers in all spellings, and protected places
 * however they are written. Source: interface document 3 §4.2.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describePeers } from "#support/peers/DescribePeers.ts"
import {
  admin,
  app,
  behind,
  believed,
  claims,
  cookie,
  dialects,
  loginFor,
  passed,
  Proxy,
  refused,
  stale,
  user
} from "./EdgePlace.ts"

for (const dialect of dialects) {
  describePeers([dialect.program], `the edge behind ${dialect.program}`, () => {
    layer(behind(dialect), { excludeTestServices: true, timeout: 60_000 })((it) => {
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
        120_000
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
        120_000
      )

      it.effect(
        "believes nothing that a client says",
        () =>
          Effect.gen(function* () {
            assert.deepStrictEqual(believed(yield* passed("open.example.org", "/x", { headers: claims })), [])
            assert.deepStrictEqual(believed(yield* passed(app, "/private/x", { headers: [...claims, cookie(user)] })), [
              "x-auth-name-encoded: UTF-8''%C3%84nn",
              "x-auth-name: %C3%84nn",
              "x-auth-role: user",
              "x-auth-user: ann@example.org"
            ])
            const sent = yield* refused(app, "/private/x", { headers: claims })
            assert.deepStrictEqual([sent.status, loginFor(sent)], [302, `http://${app}/private/x`])
            assert.strictEqual((yield* refused(app, "/admin", { headers: [...claims, cookie(user)] })).status, 403)
            // Headers that the request asks the next hop to remove (Connection).
            for (const name of ["X-Forwarded-Host", "X-Forwarded-Uri", "X-Auth-User", "Cookie"])
              yield* refused(app, "/private", { headers: [`Connection: close, ${name}`, ...claims] })
          }),
        120_000
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
        120_000
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
        120_000
      )
    })
  })
}
