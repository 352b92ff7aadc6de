/** Invalid input to the forms and pages of the edge: each gets a clear answer, never a 500, and changes nothing. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { hash } from "node:crypto"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { startSuite } from "#support/TestSuite.ts"
import { base, formCookie, Place } from "./Browser.ts"

const admin = "ad".repeat(32)
const form = "f".repeat(32)

const place = Layer.effect(
  Place,
  Effect.gen(function* () {
    const suite = yield* startSuite({
      daemons: [edgeAuth],
      env: {
        AUTH_COOKIE_DOMAIN: "example.org",
        AUTH_RATE_LIMIT_MAX: "10000",
        SIGNALBOX_EDGE_AUTH_HANDOFF_PATH: "/.signalbox/handoff"
      }
    })
    yield* suite.sql`insert into edge_auth.users (email, password, name, status, role) values ('root@example.org', '', 'Root', 'active', 'admin'), ('ann@example.org', '', 'Ann', 'pending', 'user')`
    yield* suite.sql`insert into edge_auth.sessions (token, user_id, ip, user_agent, expires_at) select ${hash("sha256", admin, "hex")}, id, '', '', now() + interval '1 day' from edge_auth.users where role = 'admin'`
    yield* suite.sql`insert into edge_auth.protected_routes (host, path, required_role) values ('app.example.org', '/', 'user')`
    return suite
  })
)

/** All data that must not change, as one text. */
const state = Effect.flatMap(Place, ({ sql }) =>
  Effect.map(
    Effect.forEach(
      ["users", "sessions", "protected_routes", "handoffs", "half_sign_ins", "imports"],
      (table) =>
        sql<{
          all: string | null
        }>`select string_agg(t::text, '|' order by t::text) as all from ${sql(`edge_auth.${table}`)} t`
    ),
    (tables) => JSON.stringify(tables)
  )
)

const acts = Effect.flatMap(Place, ({ sql }) => sql`select 1 from core.audit where action like 'edge_%'`)

interface Sent {
  readonly body?: string | Buffer
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
}

const send = (
  path: string,
  { body, headers = {}, method = "POST", type = "application/x-www-form-urlencoded" }: Sent
) =>
  Effect.flatMap(Place, (suite) =>
    Effect.promise(async () => {
      const response = await fetch(`${suite.base()}${path}`, {
        method,
        redirect: "manual",
        headers: {
          "content-type": type,
          origin: base,
          cookie: `${formCookie}=${form}; __platform_auth=${admin}`,
          ...headers
        },
        ...(body === undefined ? {} : { body: body as string })
      })
      return {
        status: response.status,
        type: response.headers.get("content-type") ?? "",
        location: response.headers.get("location"),
        cookies: response.headers.getSetCookie().join(),
        text: await response.text()
      }
    })
  )

/** Valid content of each form. Each would change something. */
const forms: Readonly<Record<string, ReadonlyArray<Readonly<Record<string, string>>>>> = {
  "/login": [
    { email: "root@example.org", password: "whatever it is" },
    { half: "a".repeat(64), code: "000000" }
  ],
  "/register": [{ email: "new@example.org", name: "New", password: "correct horse battery" }],
  "/account": [
    { act: "end_all" },
    { act: "end_session", id: "1" },
    { act: "begin_factor", password: "x" },
    { act: "confirm_factor", code: "000000" },
    { act: "end_factor", proof: "x" }
  ],
  "/admin": [
    { act: "approve", id: "2" },
    { act: "block", id: "2" },
    { act: "make_admin", id: "2" },
    { act: "reset_factor", id: "2" },
    { act: "end_all", id: "1" },
    { act: "end_session", id: "1" },
    { act: "add_route", host: "b.example", path: "/", role: "user" },
    { act: "turn_off", id: "1" },
    { act: "remove_route", id: "1" }
  ]
}

const encoded = (fields: Readonly<Record<string, string>>) =>
  new URLSearchParams({ ...fields, form_token: form }).toString()

/** Invalid variants of the fields, with the acceptable statuses for each. */
const wrongOf = (
  fields: Readonly<Record<string, string>>
): ReadonlyArray<readonly [string, Sent, ReadonlyArray<number>]> => {
  const good = encoded(fields)
  const [name] = Object.keys(fields)
  return [
    ["too long", { body: `${good}&x=${"x".repeat(1_100_000)}` }, [413]],
    ["a field too long", { body: `${good.replace(`${name}=`, `${name}=${"x".repeat(5_000)}`)}` }, [422]],
    ["a field twice", { body: `${good}&${name}=x` }, [422]],
    ["a form token twice", { body: `${good}&form_token=${form}` }, [422]],
    ["JSON", { body: JSON.stringify({ ...fields, form_token: form }), type: "application/json" }, [400, 415, 422]],
    ["plain text", { body: good, type: "text/plain" }, [400, 415, 422]],
    [
      "multipart",
      {
        body: `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nx\r\n--b--\r\n`,
        type: "multipart/form-data; boundary=b"
      },
      [400, 403, 415, 422]
    ],
    ["garbage", { body: "%%%=%zz&%=&&&=;\0" }, [403, 422]],
    ["bytes", { body: Buffer.from([0xff, 0xfe, 0, 0x80]) }, [403, 422]],
    ["nothing", { body: "" }, [403, 422]],
    ["no form token", { body: new URLSearchParams(fields).toString() }, [403]],
    ["another form token", { body: good.replace(form, "g".repeat(32)) }, [403]],
    ["no form cookie", { body: good, headers: { cookie: `__platform_auth=${admin}` } }, [403]],
    ["another Origin", { body: good, headers: { origin: "https://evil.example" } }, [403]],
    ["an opaque Origin", { body: good, headers: { origin: "null" } }, [403]],
    ["a query too long", { body: good.replace(form, "") }, [403]],
    ["another method", { body: good, method: "PUT" }, [405]],
    ["DELETE", { method: "DELETE" }, [405]]
  ]
}

describe("bad input at the edge", () => {
  layer(place, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect(
      "is refused at every form for every sender, and changes nothing",
      () =>
        Effect.gen(function* () {
          const before = yield* state
          for (const [path, all] of Object.entries(forms)) {
            for (const fields of all) {
              for (const [what, sent, right] of wrongOf(fields)) {
                const reply = yield* send(path, sent)
                const told = `${path} ${JSON.stringify(fields)} with ${what}: ${reply.status} ${reply.text.slice(0, 200)}`
                assert.include(right, reply.status, told)
                assert.match(reply.type, /^(?:application\/problem\+json|text\/html)/, told)
                assert.notMatch(reply.cookies, /__platform_auth/, told)
                assert.notMatch(reply.text, /SqlError|edge_auth\.|node_modules| at .+:\d+:\d+/, told)
              }
            }
          }
          assert.strictEqual(yield* state, before)
          assert.strictEqual((yield* acts).length, 0)
        }),
      120_000
    )

    it.effect(
      "is refused in forms with fields that our pages do not send",
      () =>
        Effect.gen(function* () {
          const before = yield* state
          const tried = (path: string, fields: Readonly<Record<string, string>>, right: ReadonlyArray<number>) =>
            Effect.map(send(path, { body: encoded(fields) }), (reply) =>
              assert.include(
                right,
                reply.status,
                `${path} ${JSON.stringify(fields)}: ${reply.status} ${reply.text.slice(-300)}`
              )
            )
          const strange = [
            "",
            "0",
            "-1",
            "1.5",
            "1e3",
            "99999999999",
            " 1",
            "1;drop table",
            "\0",
            "١",
            "__proto__",
            "constructor",
            "\ud800"
          ]
          for (const id of strange) {
            for (const act of [
              "approve",
              "block",
              "make_user",
              "reset_factor",
              "end_all",
              "end_session",
              "turn_on",
              "turn_off",
              "remove_route"
            ])
              yield* tried("/admin", { act, id }, [409])
            yield* tried("/account", { act: "end_session", id }, [422])
          }
          yield* tried("/admin", { act: "approve", id: "4711" }, [409])
          // A session that has already ended: the answer shows the current page.
          yield* tried("/account", { act: "end_session", id: "4711" }, [303])
          for (const act of [...strange, "APPROVE", "toString", "hasOwnProperty"]) {
            yield* tried("/admin", { act, id: "2" }, [409])
            yield* tried("/account", { act, id: "1" }, [422])
          }
          for (const [host, path, role] of [
            ["", "/", "user"],
            ["a b", "/", "user"],
            ["a\0b.example", "/", "user"],
            ["a.example", "", "user"],
            ["a.example", "x", "user"],
            ["a.example", "/\0", "user"],
            ["a.example", "/ x", "user"],
            ["a.example", "/", "root"],
            ["a.example", "/", ""],
            ["a.example,b.example", "/", "user"],
            ["x".repeat(300), "/", "user"],
            ["a.example", `/${"x".repeat(3_000)}`, "user"]
          ] as const) {
            yield* tried("/admin", { act: "add_route", host, path, role, description: "" }, [409])
          }
          for (const [email, name, password] of [
            ["", "N", "correct horse battery"],
            ["no address", "N", "correct horse battery"],
            ["a@example.org\0", "N", "correct horse battery"],
            ["a@example.org", "", "correct horse battery"],
            ["a@example.org", "N\0", "correct horse battery"],
            ["a@example.org", "x".repeat(101), "correct horse battery"],
            ["a@example.org", "N", "short"],
            ["a@example.org", "N", "ü".repeat(37)],
            ["a@example.org", "N", "with a \0 in it"]
          ] as const) {
            yield* tried("/register", { email, name, password }, [422])
          }
          for (const [email, password] of [
            ["\0", "x"],
            ["root@example.org\0", "x"],
            ["x".repeat(4_000), "x"],
            ["root@example.org", "\0"],
            ["root@example.org", "x".repeat(4_000)],
            ["' or 1=1 --", "x"],
            ["\ud800@example.org", "\udfff"]
          ] as const)
            yield* tried("/login", { email, password }, [401])
          for (const half of ["", "\0", "x".repeat(4_000), "a".repeat(64)])
            for (const code of ["", "\0", "000000", "x".repeat(4_000)]) yield* tried("/login", { half, code }, [401])
          assert.strictEqual(yield* state, before)
          assert.strictEqual((yield* acts).length, 0)
        }),
      120_000
    )

    it.effect(
      "is answered at every page, without a redirect to a foreign host",
      () =>
        Effect.gen(function* () {
          const before = yield* state
          const queries = [
            "rd=%zz",
            "rd=%00",
            "rd=a&rd=b",
            `rd=${"x".repeat(5_000)}`,
            "rd=%ff%fe",
            "rd=javascript:alert(1)",
            "rd=https://evil.example/%0d%0ax:y",
            "lang=xx",
            `lang=${"x".repeat(100)}`,
            "lang=de&lang=en",
            "code=%zz",
            "code=%00",
            "code=a&code=b",
            `code=${"x".repeat(5_000)}`,
            "__proto__=1",
            "&&&==",
            "%"
          ]
          for (const path of ["/login", "/register", "/account", "/admin", "/admin/coverage.json", "/handoff"]) {
            for (const query of queries) {
              const reply = yield* send(`${path}?${query}`, { method: "GET" })
              const told = `${path}?${query.slice(0, 60)}: ${reply.status} ${reply.text.slice(0, 200)}`
              assert.include(path === "/handoff" ? [403, 422] : [200, 422], reply.status, told)
              assert.isNull(reply.location, told)
              assert.match(reply.type, /^(?:application\/(?:problem\+)?json|text\/html)/, told)
            }
          }
          const headers: ReadonlyArray<Readonly<Record<string, string>>> = [
            { cookie: "__platform_auth=%00; =;;; __platform_auth" },
            { cookie: `__platform_auth=${"f".repeat(64)}; `.repeat(40) },
            { "accept-language": "x".repeat(5_000) },
            { "x-forwarded-for": "x, , 999.1.1.1, ::::" },
            { "user-agent": "\u00ff".repeat(2_000) }
          ]
          for (const header of headers)
            for (const path of ["/login", "/account", ...(header["cookie"] === undefined ? [] : ["/logout"])])
              assert.isBelow(
                (yield* send(path, { method: "GET", headers: header })).status,
                500,
                JSON.stringify(header).slice(0, 60)
              )
          // Without a session the answer redirects to the login page, with a return address only for pages.
          for (const path of ["/account", "/admin", "/admin/coverage.json"]) {
            const reply = yield* send(path, { method: "GET", headers: { cookie: "" } })
            assert.deepStrictEqual([reply.status, reply.location?.startsWith(`${base}/login?rd=`)], [302, true], path)
          }
          assert.strictEqual(yield* state, before)
        }),
      120_000
    )
  })
})
