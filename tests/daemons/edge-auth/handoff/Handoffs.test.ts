/**
 * Sign-in at our own domain and hand-over to a different root domain with a one-time code: accepted and refused cases.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { hash } from "node:crypto"
import { goodFor } from "#core/lane/Projection.ts"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { startSuite } from "#support/TestSuite.ts"
import { type Answer, ask, base, cookieOf, password, Place, submit, verify, register } from "../Browser.ts"

const path = "/.signalbox/handoff"
const place = (more: Readonly<Record<string, string>>) =>
  Layer.effect(
    Place,
    Effect.gen(function* () {
      const suite = yield* startSuite({
        daemons: [edgeAuth],
        env: { AUTH_COOKIE_DOMAIN: "example.org", SIGNALBOX_TRUSTED_PROXIES: "127.0.0.0/8", ...more }
      })
      yield* suite.sql`insert into edge_auth.users (email, password, name, status, role) values ('ann@example.org', '', 'Ann', 'active', 'user')`
      yield* suite.sql`insert into edge_auth.protected_routes (host, path, required_role, enabled) values
      ('shop.example.net', '/', 'user', 1), ('other.example.net', '/private', 'user', 1), ('off.example.net', '/', 'user', 0), ('app.example.org', '/', 'user', 1)`
      return suite
    })
  )

const sql = Effect.map(Place, ({ sql }) => sql)

/** Creates a session of Ann with this token. */
const signedIn = Effect.fnUntraced(function* (token: string) {
  yield* Effect.flatMap(
    sql,
    (sql) => sql`insert into edge_auth.sessions (token, user_id, ip, user_agent, expires_at)
    select ${hash("sha256", token, "hex")}, id, '', '', now() + interval '1 hour' from edge_auth.users where email = 'ann@example.org'`
  )
  return token
})

const login = (wanted: string, session: string) =>
  ask("GET", `/login?rd=${encodeURIComponent(wanted)}`, { headers: { cookie: `__platform_auth=${session}` } })
const locationOf = ({ headers }: Answer) => headers.get("location") ?? ""
const codeOf = (answer: Answer) => new URL(locationOf(answer)).searchParams.get("code")!
/** Requests the hand-over address through the proxy of `host`. */
const arrive = (host: string, code: string) =>
  ask("GET", `/handoff?code=${code}`, {
    headers: { host: "127.0.0.1", "x-forwarded-host": host, "x-forwarded-for": "203.0.113.5" }
  })
const sessionOf = (answer: Answer) => cookieOf(answer, "__platform_auth")

describe("handoff to another root domain", () => {
  layer(place({ SIGNALBOX_EDGE_AUTH_HANDOFF_PATH: path }), { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect(
      "extends a sign-in to one host, and ends with the sign-in",
      () =>
        Effect.gen(function* () {
          const session = yield* signedIn("a1".repeat(32))
          const first = yield* verify("shop.example.net", "/cart?x=1", { session })
          // Our own cookie would be valid there too if browsers sent it. The hand-over creates a different one.
          assert.strictEqual(first.status, 200)
          const asked = yield* verify("shop.example.net", "/cart?x=1")
          assert.deepStrictEqual(
            [asked.status, locationOf(asked)],
            [302, `${base}/login?rd=${encodeURIComponent("https://shop.example.net/cart?x=1")}`]
          )
          const sent = yield* login("https://shop.example.net/cart?x=1", session)
          assert.strictEqual(sent.status, 303)
          assert.match(locationOf(sent), /^https:\/\/shop\.example\.net\/\.signalbox\/handoff\?code=[0-9a-f]{64}$/)
          const [stored] = yield* Effect.flatMap(
            sql,
            (sql) => sql<{ code: string }>`select code from edge_auth.handoffs`
          )
          assert.strictEqual(stored!.code, hash("sha256", codeOf(sent), "hex"))
          const arrived = yield* arrive("shop.example.net:443", codeOf(sent))
          assert.deepStrictEqual([arrived.status, locationOf(arrived)], [303, "https://shop.example.net/cart?x=1"])
          const line = arrived.headers.getSetCookie().join()
          assert.notInclude(line, "Domain")
          assert.match(line, /; Path=\/; Max-Age=3[56]\d\d; Secure; HttpOnly; SameSite=Lax$/)
          const there = sessionOf(arrived)!
          assert.deepStrictEqual(
            [
              (yield* verify("shop.example.net", "/", { session: there })).status,
              (yield* verify("shop.example.net", "/", { session: there })).headers.get("x-auth-user")
            ],
            [200, "ann@example.org"]
          )
          // The session is valid at that host only, and gives no access to the account pages.
          assert.strictEqual((yield* verify("other.example.net", "/private", { session: there })).status, 302)
          assert.strictEqual((yield* verify("app.example.org", "/", { session: there })).status, 302)
          assert.strictEqual(
            (yield* ask("GET", "/account", { headers: { cookie: `__platform_auth=${there}` } })).status,
            302
          )
          assert.strictEqual((yield* login("https://other.example.net/private", there)).status, 200)

          const out = yield* ask("GET", "/logout", { headers: { cookie: `__platform_auth=${session}` } })
          assert.strictEqual(out.status, 200)
          assert.strictEqual((yield* verify("shop.example.net", "/", { session: there })).status, 302)
          const audit = yield* Effect.flatMap(
            sql,
            (sql) => sql<{ action: string }>`select action from core.audit where actor like 'edge:%' order by id`
          )
          assert.deepStrictEqual(
            audit.map(({ action }) => action),
            ["edge_session.handed_over", "edge_session.ended"]
          )
        }),
      120_000
    )

    it.effect(
      "accepts a code once, at its host, within a minute, while the sign-in is open",
      () =>
        Effect.gen(function* () {
          const session = yield* signedIn("a2".repeat(32))
          const fresh = Effect.map(login("https://other.example.net/private", session), codeOf)
          const once = yield* fresh
          const raced = yield* Effect.all(
            Array.from({ length: 8 }, () => arrive("other.example.net", once)),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(raced.map(({ status }) => status).toSorted(), [303, 403, 403, 403, 403, 403, 403, 403])
          assert.strictEqual(raced.filter((answer) => sessionOf(answer) !== undefined).length, 1)

          const misled = yield* fresh
          assert.strictEqual((yield* arrive("shop.example.net", misled)).status, 403)
          // The code was seen at a wrong host, so it is no longer valid anywhere.
          assert.strictEqual((yield* arrive("other.example.net", misled)).status, 403)

          const late = yield* fresh
          yield* Effect.flatMap(
            sql,
            (sql) => sql`update edge_auth.handoffs set expires_at = now() - interval '1 second'`
          )
          assert.strictEqual((yield* arrive("other.example.net", late)).status, 403)

          const left = yield* fresh
          yield* ask("GET", "/logout", { headers: { cookie: `__platform_auth=${session}` } })
          const refused = yield* arrive("other.example.net", left)
          assert.deepStrictEqual([refused.status, sessionOf(refused)], [403, undefined])
          assert.include(refused.text, `${base}/login`)
          for (const code of ["", "x", "0".repeat(64)])
            assert.strictEqual((yield* arrive("other.example.net", code)).status, 403)

          const blocked = yield* signedIn("a3".repeat(32))
          const code = codeOf(yield* login("https://other.example.net/private", blocked))
          yield* Effect.flatMap(sql, (sql) => sql`update edge_auth.users set status = 'blocked'`)
          assert.strictEqual((yield* arrive("other.example.net", code)).status, 403)
          yield* Effect.flatMap(sql, (sql) => sql`update edge_auth.users set status = 'active'`)
        }),
      120_000
    )

    it.effect(
      "ends with its session, and its own end keeps that session",
      () =>
        Effect.gen(function* () {
          const [session, here] = [yield* signedIn("f1".repeat(32)), yield* signedIn("f2".repeat(32))]
          const numberOf = (token: string) =>
            Effect.flatMap(sql, (sql) =>
              Effect.map(
                sql<{ id: number }>`select id from edge_auth.sessions where token = ${hash("sha256", token, "hex")}`,
                ([row]) => String(row!.id)
              )
            )
          const end = Effect.fnUntraced(function* (token: string) {
            yield* submit("/account", { act: "end_session", id: yield* numberOf(token) }, { session: here })
          })
          const there = Effect.gen(function* () {
            return sessionOf(
              yield* arrive("shop.example.net", codeOf(yield* login("https://shop.example.net/", session)))
            )!
          })
          const statusOf = (token: string) =>
            Effect.map(verify("shop.example.net", "/", { session: token }), ({ status }) => status)
          const [first, second] = [yield* there, yield* there]
          yield* end(first)
          assert.deepStrictEqual(
            [yield* statusOf(first), yield* statusOf(second), yield* statusOf(session)],
            [302, 200, 200]
          )
          yield* end(session)
          assert.deepStrictEqual(
            [yield* statusOf(second), yield* statusOf(session), yield* statusOf(here)],
            [302, 302, 200]
          )
        }),
      120_000
    )

    it.effect(
      "never opens a session while the sign-in ends",
      () =>
        Effect.gen(function* () {
          for (let round = 0; round < 6; round++) {
            const session = yield* signedIn(`b${round}`.repeat(32))
            const code = codeOf(yield* login("https://shop.example.net/", session))
            const [arrived] = yield* Effect.all(
              [
                arrive("shop.example.net", code),
                ask("GET", "/logout", { headers: { cookie: `__platform_auth=${session}` } })
              ],
              { concurrency: 2 }
            )
            const there = sessionOf(arrived)
            if (there !== undefined)
              assert.strictEqual((yield* verify("shop.example.net", "/", { session: there })).status, 302)
          }
          const open = yield* Effect.flatMap(
            sql,
            (sql) =>
              sql`select 1 from edge_auth.sessions c join edge_auth.sessions p on p.id = c.parent where c.ended_at is null and p.ended_at is not null`
          )
          assert.strictEqual(open.length, 0)
        }),
      120_000
    )

    it.effect(
      "refuses hosts without an enabled route, and unusual addresses",
      () =>
        Effect.gen(function* () {
          const session = yield* signedIn("c1".repeat(32))
          for (const wanted of [
            "https://evil.example/",
            "https://off.example.net/",
            "https://shop.example.net.evil.example/",
            "https://shop.example.net@evil.example/",
            "http://shop.example.net/",
            "https://shop.example.net:8443/",
            "//shop.example.net/",
            "https:shop.example.net"
          ]) {
            const shown = yield* login(wanted, session)
            assert.deepStrictEqual([shown.status, locationOf(shown)], [200, ""], wanted)
            assert.notInclude(shown.headers.get("content-security-policy")!, "evil")
          }
          assert.include(
            (yield* login("https://off.example.net/", session)).text,
            "off.example.net is under another domain"
          )
          // A sign-in by form uses the same hand-over, and the page's policy allows its redirect.
          yield* register("ben@example.org", "Ben")
          yield* Effect.flatMap(sql, (sql) => sql`update edge_auth.users set status = 'active'`)
          const form = (wanted: string) =>
            submit(`/login?rd=${encodeURIComponent(wanted)}`, { email: "ben@example.org", password })
          assert.match(
            locationOf(yield* form("https://shop.example.net/x")),
            /^https:\/\/shop\.example\.net\/\.signalbox\/handoff\?code=/
          )
          assert.strictEqual(locationOf(yield* form("https://evil.example/")), `${base}/account`)
          const page = yield* ask("GET", `/login?rd=${encodeURIComponent("https://shop.example.net/x")}`)
          assert.include(
            page.headers.get("content-security-policy")!,
            "form-action 'self' https://example.org https://*.example.org https://shop.example.net"
          )
          // The route is disabled between the request and the answer.
          const before = yield* login("https://other.example.net/private", session)
          assert.strictEqual(before.status, 303)
          yield* Effect.flatMap(
            sql,
            (sql) => sql`update edge_auth.protected_routes set enabled = 0 where host = 'other.example.net'`
          )
          assert.notStrictEqual((yield* login("https://other.example.net/private", session)).status, 303)
        }),
      120_000
    )

    it.effect("knows a route that another process added without an announcement", () =>
      Effect.gen(function* () {
        const session = yield* signedIn("e1".repeat(32))
        yield* Effect.flatMap(
          sql,
          (sql) =>
            sql`insert into edge_auth.protected_routes (host, path, required_role, enabled) values ('new.example.net', '/', 'user', 1)`
        )
        yield* Effect.sleep(goodFor)
        assert.strictEqual((yield* login("https://new.example.net/", session)).status, 303)
      })
    )

    it.effect(
      "reports a browser that stores no cookie instead of redirecting in a loop",
      () =>
        Effect.gen(function* () {
          const session = yield* signedIn("d1".repeat(32))
          let rounds = 0
          let answer = yield* login("https://shop.example.net/", session)
          while (answer.status === 303 && rounds < 20) {
            rounds++
            assert.strictEqual((yield* arrive("shop.example.net", codeOf(answer))).status, 303)
            answer = yield* login("https://shop.example.net/", session)
          }
          // Browsers stop after twenty redirects, and each round has three.
          assert.deepStrictEqual([rounds, answer.status], [4, 403])
          assert.include(answer.text, "stores no cookie of shop.example.net")
        }),
      120_000
    )
  })

  layer(place({}), { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect(
      "is off without a configured path, and the page explains it",
      () =>
        Effect.gen(function* () {
          const session = yield* signedIn("e1".repeat(32))
          const shown = yield* login("https://shop.example.net/", session)
          assert.strictEqual(shown.status, 200)
          assert.include(shown.text, "shop.example.net is under another domain")
        }),
      120_000
    )
  })
})
