import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "#core/sql/Sql.ts"
import * as SignInLinks from "#daemons/identity/sessions/SignInLinks.ts"
import { tabsGrace } from "#daemons/identity/sessions/Sessions.ts"
import type { Answer } from "#support/TestSuite.ts"
import { password, signInSuite } from "../SignInSuite.ts"

/** The refresh cookie that an answer sets, or undefined. */
const cookieOf = ({ headers }: Answer): string | undefined =>
  /^signalbox_refresh=(sbr_[\w-]{43});/.exec(headers.get("set-cookie") ?? "")?.[1]
const cleared = "signalbox_refresh=; Path=/api/v1/auth; Max-Age=0; HttpOnly; SameSite=Strict"

const browserSuite = Effect.fnUntraced(function* (env: Readonly<Record<string, string>> = {}) {
  const suite = yield* signInSuite({ env })
  /** Sends a request like a browser with this cookie. */
  const send = (
    path: string,
    cookie: string | undefined,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {}
  ) =>
    suite.call("POST", `/api/v1/auth/${path}`, {
      ...(body === undefined ? {} : { body }),
      headers: { ...(cookie === undefined ? {} : { cookie: `theme=dark; signalbox_refresh=${cookie}` }), ...headers }
    })
  const signIn = (email: string) => suite.post("login", { email, password, cookie: true })
  const standing = Effect.map(suite.sql`select 1 from identity.session where ended_at is null`, (rows) => rows.length)
  const meStatus = ({ json }: Answer) => Effect.map(suite.get("me", json.access_token), ({ status }) => status)
  return { ...suite, send, signIn, standing, meStatus }
})

it.live("the refresh token is only in the cookie, and each refresh replaces the cookie", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, login, meStatus, post, send, signIn, sql, standing } = yield* browserSuite()
      const { email, id } = yield* account()
      const first = yield* signIn(email)
      expect(first.headers.get("set-cookie")).toMatch(
        /^signalbox_refresh=sbr_[\w-]{43}; Path=\/api\/v1\/auth; Max-Age=2592000; HttpOnly; SameSite=Strict$/
      )
      expect([first.status, Object.keys(first.json).toSorted()]).toEqual([
        200,
        ["access_token", "expires_in", "token_type"]
      ])
      const second = yield* send("refresh", cookieOf(first), {})
      expect([second.status, Object.keys(second.json).toSorted(), second.headers.get("cache-control")]).toEqual([
        200,
        ["access_token", "expires_in", "token_type"],
        "no-store"
      ])
      expect(yield* meStatus(second)).toBe(200)

      // A different token in the body is refused, and neither is used up. The same token in the body counts as the
      // cookie's.
      const plain = yield* login(email)
      const both = yield* send("refresh", cookieOf(second), { refresh_token: plain.json.refresh_token })
      expect([both.status, both.json.errors[0].field, both.headers.get("set-cookie")]).toEqual([
        422,
        "payload.refresh_token",
        null
      ])
      const third = yield* send("refresh", cookieOf(second), { refresh_token: cookieOf(second) })
      expect([third.status, third.json.refresh_token, cookieOf(third) !== cookieOf(second)]).toEqual([
        200,
        undefined,
        true
      ])

      // Without a cookie everything works as before.
      const refreshed = yield* post("refresh", { refresh_token: plain.json.refresh_token })
      for (const { headers, json } of [plain, refreshed])
        expect([headers.get("set-cookie"), json.refresh_token]).toEqual([null, expect.stringMatching(/^sbr_/)])
      const none = yield* send("refresh", undefined, {})
      expect([none.status, none.json.code, none.headers.get("set-cookie")]).toEqual([
        401,
        "invalid_refresh_token",
        null
      ])

      // The other two ways to get tokens.
      const link = yield* transaction(SignInLinks.make(id, 1, "reset")).pipe(
        Effect.provideService(SqlClient.SqlClient, sql)
      )
      const linked = yield* post("link", { token: Redacted.value(link), cookie: true })
      expect([linked.status, linked.json.refresh_token, typeof cookieOf(linked)]).toEqual([200, undefined, "string"])
      const changed = yield* post(
        "password",
        { new_password: "another horse battery", cookie: true },
        { bearer: linked.json.access_token }
      )
      expect([
        changed.status,
        changed.json.refresh_token,
        (yield* send("refresh", cookieOf(changed), {})).status
      ]).toEqual([200, undefined, 200])
      expect(yield* standing).toBe(1)
    })
  )
)

it.live("two tabs that refresh at once stay signed in, and a stolen cookie is still detected", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, meStatus, post, send, signIn, sql, standing } = yield* browserSuite()
      const { email } = yield* account()
      const shared = cookieOf(yield* signIn(email))
      const tabs = yield* Effect.all(
        [1, 2, 3].map(() => send("refresh", shared, {})),
        { concurrency: 3 }
      )
      expect(tabs.map(({ status }) => status)).toEqual([200, 200, 200])
      const next = tabs.map(cookieOf).filter((cookie) => cookie !== undefined)
      expect([next.length, tabs.filter(({ headers }) => headers.get("set-cookie") === null).length]).toEqual([1, 2])
      for (const tab of tabs) expect([yield* meStatus(tab), tab.json.refresh_token]).toEqual([200, undefined])
      expect(yield* sql`select 1 from identity.refresh_token`).toHaveLength(2)

      // Only the previous token is accepted again. An older one counts as copied.
      expect(cookieOf(yield* send("refresh", next[0], {}))).toBeDefined()
      const older = yield* send("refresh", shared, {})
      expect([older.status, older.json.code, older.headers.get("set-cookie"), yield* standing]).toEqual([
        401,
        "invalid_refresh_token",
        cleared,
        0
      ])

      // The grace period is short.
      const late = cookieOf(yield* signIn(email))
      const present = cookieOf(yield* send("refresh", late, {}))
      const age = (seconds: number) =>
        sql`update identity.refresh_token set used_at = used_at - make_interval(secs => ${seconds}), issued_at = issued_at - make_interval(secs => ${seconds})`
      yield* age(tabsGrace / 2)
      expect((yield* send("refresh", late, {})).status).toBe(200)
      yield* age(tabsGrace / 2)
      expect([
        (yield* send("refresh", late, {})).status,
        (yield* send("refresh", present, {})).status,
        yield* standing
      ]).toEqual([401, 401, 0])
      expect((yield* sql`select 1 from core.audit where action = 'refused.refresh_reuse'`).length).toBeGreaterThan(0)

      // The grace period applies only to cookies, and not to ended sessions.
      const plain = cookieOf(yield* signIn(email))
      yield* send("refresh", plain, {})
      expect([(yield* post("refresh", { refresh_token: plain })).status, yield* standing]).toEqual([401, 0])
      const over = cookieOf(yield* signIn(email))
      yield* send("refresh", over, {})
      yield* sql`update identity.session set ended_at = now(), ended_because = 'signed_out' where ended_at is null`
      expect((yield* send("refresh", over, {})).status).toBe(401)
    })
  )
)

it.live("requests of other sites are refused", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, base, send, signIn, sql, standing } = yield* browserSuite()
      const { email } = yield* account()
      const cookie = cookieOf(yield* signIn(email))
      const foreign = [
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { origin: "https://evil.test" },
        { origin: "null" }
      ]
      const bodies = [
        ["refresh", {}],
        ["login", { email, password, cookie: true }],
        ["link", { token: "sbl_x", cookie: true }]
      ] as const
      for (const [path, body] of bodies) {
        for (const headers of foreign) {
          const refused = yield* send(path, cookie, body, headers)
          expect([path, headers, refused.status, refused.json.code, refused.headers.get("set-cookie")]).toEqual([
            path,
            headers,
            403,
            "cross_site_request",
            null
          ])
        }
        // A body without a content type, which a page of a different site could send.
        const untyped = yield* Effect.promise(() =>
          fetch(`${base()}/api/v1/auth/${path}`, {
            method: "POST",
            body: Buffer.from(JSON.stringify(body)),
            headers: { cookie: `signalbox_refresh=${cookie}` }
          })
        )
        expect([path, untyped.status, untyped.headers.get("set-cookie")]).toEqual([path, 403, null])
        expect((yield* send(path, cookie, JSON.stringify(body), { "content-type": "text/plain" })).status).toBe(415)
      }
      expect([
        yield* standing,
        (yield* sql`select 1 from identity.refresh_token where used_at is not null`).length
      ]).toEqual([1, 0])
      expect((yield* send("refresh", cookie, {}, { "sec-fetch-site": "same-origin" })).status).toBe(200)
      expect((yield* send("login", undefined, { email, password, cookie: true }, { origin: base() })).status).toBe(200)
      // Without the cookie option, the origin of the request does not matter.
      expect((yield* send("login", undefined, { email, password }, { origin: "https://evil.test" })).status).toBe(200)
    })
  )
)

it.live("the cookie signs out with a valid, an absent and an expired bearer token", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, get, meStatus, post, send, signIn, sql, standing } = yield* browserSuite()
      const { email, id } = yield* account()
      for (const authorization of ["good", "over", "none"] as const) {
        const here = yield* signIn(email)
        const bearer = authorization === "good" ? here.json.access_token : "over"
        const out = yield* send(
          "logout",
          cookieOf(here),
          undefined,
          authorization === "none" ? {} : { authorization: `Bearer ${bearer}` }
        )
        expect([authorization, out.status, out.text, out.headers.get("set-cookie"), yield* standing]).toEqual([
          authorization,
          204,
          "",
          cleared,
          0
        ])
        expect(yield* meStatus(here)).toBe(401)
        // A second sign-out: no session to end, but the cookie is cleared.
        const again = yield* send("logout", cookieOf(here))
        expect([again.status, again.headers.get("set-cookie")]).toEqual([204, cleared])
      }
      const [ended] = yield* sql<{
        n: number
        actors: number
      }>`select count(*)::int as n, count(distinct actor)::int as actors from core.audit
      where action = 'session.ended' and detail->>'because' = 'signed_out' and actor = ${`user:${id}`}`
      expect(ended).toEqual({ n: 3, actors: 1 })

      // Bearer token and cookie belong to two sessions; the sign-out ends both.
      const [one, two] = [yield* signIn(email), yield* signIn(email)]
      expect(
        (yield* send("logout", cookieOf(one), undefined, { authorization: `Bearer ${two.json.access_token}` })).status
      ).toBe(204)
      expect(yield* standing).toBe(0)

      const stays = yield* signIn(email)
      for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.test" }]) {
        const refused = yield* send("logout", cookieOf(stays), undefined, headers)
        expect([refused.status, refused.json.code, refused.headers.get("set-cookie")]).toEqual([
          403,
          "cross_site_request",
          null
        ])
      }
      expect((yield* get("me", stays.json.access_token)).status).toBe(200)
      const without = yield* post("logout", undefined, { bearer: stays.json.access_token })
      expect([without.status, without.headers.get("set-cookie")]).toEqual([204, null])
      expect((yield* post("logout", undefined)).status).toBe(401)
    })
  )
)

it.live("the cookie is Secure whenever the request or the public address uses https", () =>
  Effect.scoped(
    Effect.gen(function* () {
      for (const [publicUrl, proto, secure] of [
        [undefined, "https", true],
        [undefined, "http", false],
        ["https://box.example", "http", true],
        ["http://box.example", "https", true]
      ] as const) {
        const { account, call, send } = yield* browserSuite(
          publicUrl === undefined ? {} : { SIGNALBOX_PUBLIC_URL: publicUrl }
        )
        const { email } = yield* account()
        const headers = { "x-forwarded-proto": proto }
        const here = yield* call("POST", "/api/v1/auth/login", { body: { email, password, cookie: true }, headers })
        const out = yield* send("logout", cookieOf(here), undefined, headers)
        for (const answer of [here, out])
          expect([publicUrl, proto, answer.headers.get("set-cookie")!.endsWith("; SameSite=Strict; Secure")]).toEqual([
            publicUrl,
            proto,
            secure
          ])
      }
    })
  )
)
