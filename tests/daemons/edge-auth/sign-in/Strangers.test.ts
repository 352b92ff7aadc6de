/** What strangers can do at the pages of the edge: register, sign others out, and use any of its addresses. */
import { request as httpRequest } from "node:http"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { maxRegistrations } from "#daemons/edge-auth/accounts/Attempts.ts"
import { maxPending, prune } from "#daemons/edge-auth/accounts/Registrations.ts"
import { cookieOf, password, Place } from "../Browser.ts"
import { withCheapHashes } from "#support/edge/CheapHashes.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"
import * as Database from "#core/sql/Database.ts"
import * as Sql from "#core/sql/Sql.ts"
import * as Wake from "#core/events/Wake.ts"

/** A default installation: no domain of the cookie, no public address. */
const place = Layer.effect(Place, startSuite({ daemons: [edgeAuth] }).pipe(withCheapHashes))

const send = (suite: TestSuite, method: string, path: string, headers: Record<string, string>, body?: string) =>
  Effect.promise(
    () =>
      // `fetch` sends a Sec-Fetch-Mode of its own.
      new Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>((resolve, reject) => {
        const request = httpRequest(`${suite.base("edge-auth")}${path}`, { method, headers, agent: false })
        request.once("response", (response) => {
          let text = ""
          response.on("data", (chunk: Buffer) => (text += chunk.toString()))
          response.once("end", () => {
            const held = new Headers()
            for (let at = 0; at < response.rawHeaders.length; at += 2)
              held.append(response.rawHeaders[at]!, response.rawHeaders[at + 1]!)
            resolve({ status: response.statusCode!, headers: held, text })
          })
        })
        request.once("error", reject)
        request.end(body)
      })
  )

/** Services of the housekeeping. */
const ground = ({ target }: TestSuite["database"]) =>
  Wake.layer.pipe(
    Layer.provideMerge(Sql.layer),
    Layer.provideMerge(Database.layerTarget(target, { applicationName: "test" }))
  )

/** Submits a form as a browser does that opened the page at the listener's own address. */
const submit = Effect.fnUntraced(function* (
  path: string,
  fields: Readonly<Record<string, string>>,
  more: Record<string, string> = {},
  origin?: string
) {
  const suite = yield* Place
  const token = cookieOf(yield* send(suite, "GET", "/login", {}), "edge_form")!
  return yield* send(
    suite,
    "POST",
    path,
    {
      "content-type": "application/x-www-form-urlencoded",
      origin: origin ?? suite.base("edge-auth"),
      cookie: `edge_form=${token}`,
      ...more
    },
    new URLSearchParams({ ...fields, form_token: token }).toString()
  )
})

describe("strangers at the edge", () => {
  layer(place, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect(
      "cannot become the administrator, nor sign others out",
      () =>
        Effect.gen(function* () {
          const suite = yield* Place
          const typed = { email: "eve@example.org", name: "Eve", password }
          for (const path of ["/register", "/register?first=", `/register?first=${"a".repeat(64)}`]) {
            const refused = yield* submit(path, typed)
            assert.deepStrictEqual([refused.status, /first-link/.test(refused.text)], [403, true], path)
          }
          assert.deepStrictEqual(yield* suite.sql`select 1 from edge_auth.users`, [])
          const place = { base: suite.base("edge-auth"), gateway: false }
          const greeting = yield* suite.suite.daemon("edge-auth")!.greeting(place)
          assert.deepStrictEqual(greeting[0], { kind: "edge", text: `${place.base}/login` })
          const link = /\/register\?first=[0-9a-f]{64}\b/.exec(greeting[1]!.text)![0]
          const anna = { email: "anna@example.org", name: "Anna", password }
          assert.include((yield* submit(link, anna)).text, "administrator")
          // Nobody else becomes an administrator with the same link.
          assert.include((yield* submit(link, { ...typed, email: "mallory@example.org" })).text, "must admit you")
          assert.include((yield* submit("/register", typed)).text, "must admit you")

          // The listener's own address works without any setting, and another site's form is told why it does not.
          const foreign = yield* submit("/login", { email: "anna@example.org", password }, {}, "https://evil.example")
          assert.deepStrictEqual([foreign.status, foreign.text.includes(suite.base("edge-auth"))], [403, true])
          const signedIn = yield* submit("/login", { email: "anna@example.org", password })
          assert.deepStrictEqual(
            [signedIn.status, signedIn.headers.get("location")],
            [303, `${suite.base("edge-auth")}/account`]
          )
          const cookie = { cookie: `__platform_auth=${cookieOf(signedIn, "__platform_auth")!}` }
          assert.include((yield* send(suite, "GET", "/account", cookie)).text, `href="/admin?lang=en"`)
          const isIn = Effect.map(send(suite, "GET", "/account", cookie), ({ status }) => status === 200)
          for (const fetched of [
            { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
            { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" },
            { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" }
          ]) {
            const asked = yield* send(suite, "GET", "/logout", { ...cookie, ...fetched })
            assert.include(asked.text, `action="/logout?lang=en"`)
            assert.isTrue(yield* isIn)
          }
          // The button of that page signs out, and so does a link of our own or of a site below the same domain.
          assert.strictEqual((yield* submit("/logout", {}, {}, "https://evil.example")).status, 403)
          const own = { "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }
          assert.include((yield* send(suite, "GET", "/logout", { ...cookie, ...own })).text, "signed out")
          assert.isFalse(yield* isIn)
        }),
      120_000
    )

    it.effect(
      "register only a few users, who expire",
      () =>
        Effect.gen(function* () {
          const { database, sql } = yield* Place
          const from = (address: string) => ({ "x-forwarded-for": address })
          yield* sql`delete from edge_auth.login_attempts`
          yield* sql`insert into edge_auth.login_attempts (ip)
            select 'register 203.0.113.9' from generate_series(1, ${maxRegistrations})`
          const typed = { email: "more@example.org", name: "More", password }
          const before = performance.now()
          const limited = yield* submit("/register", typed, from("203.0.113.9"))
          assert.strictEqual(limited.status, 429)
          assert.isAbove(Number(limited.headers.get("retry-after")), 3_000)
          assert.isBelow(performance.now() - before, 30_000)
          yield* sql`insert into edge_auth.users (email, password, name, status, role, registered_at)
            select 'p' || n || '@example.org', 'x', 'P', 'pending', 'user', now() from generate_series(1, ${maxPending}) n`
          const full = yield* submit("/register", typed, from("203.0.113.10"))
          assert.deepStrictEqual([full.status, full.text.includes("waiting")], [503, true])
          // Imported users have no time of registration and stay.
          yield* sql`insert into edge_auth.users (email, password, name, status, role)
            values ('imported@example.org', 'x', 'I', 'pending', 'user')`
          yield* sql`update edge_auth.users set registered_at = now() - interval '15 days' where email like 'p%@example.org'`
          assert.strictEqual(yield* prune.pipe(Effect.provide(ground(database))), maxPending)
          assert.deepStrictEqual(
            yield* sql`select email from edge_auth.users where status = 'pending' order by email`,
            [{ email: "eve@example.org" }, { email: "imported@example.org" }, { email: "mallory@example.org" }]
          )
          assert.include((yield* submit("/register", typed, from("203.0.113.10"))).text, "must admit you")
        }),
      120_000
    )
  })
})
