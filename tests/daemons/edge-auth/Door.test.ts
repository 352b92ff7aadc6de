/** The edge over a real database: the rules of /verify, sign-in and sign-out, the admin pages. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { withCheapHashes } from "#support/edge/CheapHashes.ts"
import { startSuite } from "#support/TestSuite.ts"
import { ask, base, cookieOf, formCookie, password, Place, signIn, submit, verify, register } from "./Browser.ts"

const place = startSuite({
  daemons: [edgeAuth],
  env: { AUTH_COOKIE_DOMAIN: "example.org", SIGNALBOX_TRUSTED_PROXIES: "127.0.0.0/8" }
}).pipe(withCheapHashes)

describe("the door at the edge", () => {
  layer(Layer.effect(Place, place), { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect(
      "follows the rules for the first admin, and for a user who is admitted, blocked and signed out",
      () =>
        Effect.gen(function* () {
          // The first registered user becomes admin; the second must be approved.
          assert.include((yield* register("Anna@example.org", "Änna")).text, "administrator")
          assert.include((yield* register("ben@example.org", "Ben")).text, "must admit you")
          const again = yield* register("ben@example.org", "Ben")
          assert.include(again.text, "must admit you")

          const admin = yield* signIn("anna@example.org", password)
          assert.deepStrictEqual([admin.status, admin.headers.get("location")], [303, `${base}/account`])
          const anna = cookieOf(admin, "__platform_auth")!
          assert.match(anna, /^[0-9a-f]{64}$/)
          assert.include(
            admin.headers.getSetCookie().join(),
            "; Domain=example.org; Path=/; Max-Age=86400; Secure; HttpOnly; SameSite=Lax"
          )

          const act = (fields: Readonly<Record<string, string>>) => submit("/admin", fields, { session: anna })
          assert.strictEqual(
            (yield* act({ act: "add_route", host: "app.example.org", path: "/", role: "user", description: "" }))
              .status,
            303
          )
          assert.strictEqual(
            (yield* act({ act: "add_route", host: "app.example.org", path: "/admin", role: "admin", description: "" }))
              .status,
            303
          )
          assert.strictEqual(
            (yield* act({
              act: "add_route",
              host: "APP.example.org:443",
              path: "//Admin/",
              role: "user",
              description: ""
            })).status,
            409
          )

          const open = yield* verify("open.example.org", "/x", { "x-auth-user": "root@example.org" })
          assert.deepStrictEqual(
            [open.status, open.headers.get("x-auth-user"), open.headers.get("x-auth-role")],
            [200, "", ""]
          )
          const login = yield* verify("app.example.org", "/x?y=1")
          assert.deepStrictEqual(
            [login.status, login.headers.get("location")],
            [302, `${base}/login?rd=${encodeURIComponent("https://app.example.org/x?y=1")}`]
          )
          const byStatus = yield* verify("app.example.org", "/x", { query: "?mode=status" })
          assert.deepStrictEqual(
            [byStatus.status, byStatus.headers.get("x-auth-redirect")],
            [401, `${base}/login?rd=${encodeURIComponent("https://app.example.org/x")}`]
          )
          assert.strictEqual((yield* ask("GET", "/verify")).status, 400)
          const passed = yield* verify("app.example.org", "/x", { session: anna })
          assert.deepStrictEqual(
            ["x-auth-user", "x-auth-name", "x-auth-role"].map((name) => passed.headers.get(name)),
            ["anna@example.org", "%C3%84nna", "admin"]
          )

          // First pending, then approved.
          assert.strictEqual((yield* signIn("ben@example.org", password)).status, 401)
          const [ben] = yield* Effect.flatMap(
            Place,
            ({ sql }) => sql<{ id: number }>`select id from edge_auth.users where email = 'ben@example.org'`
          )
          yield* act({ act: "approve", id: String(ben!.id) })
          const admitted = yield* submit(`/login?rd=${encodeURIComponent("https://app.example.org/x")}`, {
            email: "BEN@example.org",
            password
          })
          assert.deepStrictEqual(
            [admitted.status, admitted.headers.get("location")],
            [303, "https://app.example.org/x"]
          )
          const session = cookieOf(admitted, "__platform_auth")!
          assert.deepStrictEqual(
            [
              (yield* verify("app.example.org", "/", { session })).status,
              (yield* verify("app.example.org", "/%61dmin/x", { session })).status
            ],
            [200, 403]
          )
          assert.strictEqual(
            (yield* ask("GET", "/admin", { headers: { cookie: `__platform_auth=${session}` } })).status,
            403
          )

          // A block takes effect at once.
          yield* act({ act: "block", id: String(ben!.id) })
          assert.strictEqual((yield* verify("app.example.org", "/", { session })).status, 302)
          assert.strictEqual((yield* signIn("ben@example.org", password)).status, 401)
          assert.strictEqual((yield* act({ act: "block", id: "1" })).status, 409)

          const out = yield* ask("GET", "/logout", { headers: { cookie: `__platform_auth=${anna}` } })
          assert.include(out.headers.getSetCookie().join(), "__platform_auth=; Domain=example.org; Path=/; Max-Age=0")
          assert.strictEqual((yield* verify("app.example.org", "/", { session: anna })).status, 302)
        }),
      120_000
    )

    it.effect(
      "refuses forms of foreign sites, and redirects to no foreign host",
      () =>
        Effect.gen(function* () {
          const page = yield* ask("GET", "/login")
          const token = cookieOf(page, formCookie)!
          const form = { email: "anna@example.org", password, form_token: token }
          const of = (headers: Readonly<Record<string, string>>, fields = form) =>
            ask("POST", "/login", { form: fields, headers: { "x-forwarded-for": "203.0.113.9", ...headers } })
          assert.strictEqual((yield* of({})).status, 403)
          assert.strictEqual(
            (yield* of({ cookie: `${formCookie}=${token}` }, { ...form, form_token: "x".repeat(32) })).status,
            403
          )
          // The same number of characters, but more bytes.
          assert.strictEqual(
            (yield* of({ cookie: `${formCookie}=${token}` }, { ...form, form_token: "ü".repeat(32) })).status,
            403
          )
          assert.strictEqual(
            (yield* of({ cookie: `${formCookie}=${token}`, origin: "https://evil.example" })).status,
            403
          )
          const away = yield* submit(`/login?rd=${encodeURIComponent("https://evil.example/")}`, {
            email: "anna@example.org",
            password
          })
          assert.strictEqual(away.headers.get("location"), `${base}/account`)
          const shown = yield* ask("GET", "/login?rd=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
          assert.notInclude(shown.text, "<script")
          assert.match(shown.headers.get("content-security-policy")!, /default-src 'none'; style-src 'sha256-/)
        }),
      120_000
    )
  })
})
