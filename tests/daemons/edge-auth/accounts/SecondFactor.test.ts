/** The second factor on the pages: setup, sign-in and loss. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TOTP } from "otpauth"
import { accountWindow } from "#daemons/edge-auth/accounts/Attempts.ts"
import * as FactorRows from "#daemons/edge-auth/accounts/FactorRows.ts"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { withCheapHashes } from "#support/edge/CheapHashes.ts"
import { startSuite } from "#support/TestSuite.ts"
import { type Answer, ask, cookieOf, password, Place, register as registerAs, signIn, submit } from "../Browser.ts"

const place = Layer.effect(
  Place,
  startSuite({
    daemons: [edgeAuth],
    env: { AUTH_COOKIE_DOMAIN: "example.org", SIGNALBOX_TRUSTED_PROXIES: "127.0.0.0/8" }
  }).pipe(withCheapHashes)
)

const sql = Effect.map(Place, ({ sql }) => sql)
const secretOf = ({ text }: Answer) => /<code>([A-Z2-7 ]+)<\/code>/.exec(text)![1]!.replaceAll(" ", "")
const halfOf = ({ text }: Answer) => /name="half" value="([0-9a-f]{64})"/.exec(text)?.[1]
const recoveryOf = ({ text }: Answer) =>
  [...text.matchAll(/<code>([0-9a-z]{5}-[0-9a-z]{5})<\/code>/g)].map((match) => match[1]!)

/** The code of the current TOTP step, or of one `steps` later. */
const codeOf = (secret: string, steps = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 })

const register = (email: string) => registerAs(email, "Somebody")
const sessionOf = (answer: Answer) => cookieOf(answer, "__platform_auth")
const byCode = (half: string, code: string, address?: string) =>
  submit("/login", { half, code }, address === undefined ? {} : { address })
const account = (session: string, fields: Readonly<Record<string, string>>) => submit("/account", fields, { session })

/** Waits for a new TOTP step when the current one ends within 5 s, so that codes stay valid during the test. */
const steadyStep = Effect.suspend(() => {
  const left = 30_000 - (Date.now() % 30_000)
  return left < 5_000 ? Effect.sleep(left + 50) : Effect.void
})

/** A signed-in user with a second factor. The code of the setup is used up. */
const enrolled = Effect.fnUntraced(function* (email: string) {
  yield* register(email)
  yield* Effect.flatMap(sql, (sql) => sql`update edge_auth.users set status = 'active' where email = ${email}`)
  const session = sessionOf(yield* signIn(email, password))!
  const secret = secretOf(yield* account(session, { act: "begin_factor", password }))
  yield* steadyStep
  const recovery = recoveryOf(yield* account(session, { act: "confirm_factor", code: codeOf(secret, -1) }))
  return { session, secret, recovery, email }
})

describe("the second factor at the edge", () => {
  layer(place, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect(
      "is set up with the password and a first code, and its secret is stored sealed",
      () =>
        Effect.gen(function* () {
          yield* register("anna@example.org")
          const session = sessionOf(yield* signIn("anna@example.org", password))!
          const page = yield* ask("GET", "/account", { headers: { cookie: `__platform_auth=${session}` } })
          assert.include(page.text, "begin_factor")
          const refused = yield* account(session, { act: "begin_factor", password: "not the password" })
          assert.deepStrictEqual([refused.status, /<svg/.test(refused.text)], [422, false])
          const begun = yield* account(session, { act: "begin_factor", password })
          assert.strictEqual(begun.status, 200)
          assert.match(begun.text, /<svg [^>]*role="img"/)
          const secret = secretOf(begun)
          const [row] = yield* Effect.flatMap(
            sql,
            (sql) =>
              sql<{
                totp_secret: string
                totp_since: Date | null
              }>`select totp_secret, totp_since from edge_auth.users where email = 'anna@example.org'`
          )
          assert.match(row!.totp_secret, /^sbx1\./)
          assert.isNull(row!.totp_since)
          // The factor is not confirmed: the password alone still signs in, and the QR code is not shown again.
          assert.isString(sessionOf(yield* signIn("anna@example.org", password)))
          assert.notInclude(
            (yield* ask("GET", "/account", { headers: { cookie: `__platform_auth=${session}` } })).text,
            "<svg"
          )
          const wrong = yield* account(session, {
            act: "confirm_factor",
            code: "000000" === codeOf(secret) ? "000001" : "000000"
          })
          assert.deepStrictEqual([wrong.status, secretOf(wrong)], [422, secret])
          yield* steadyStep
          const confirmed = yield* account(session, { act: "confirm_factor", code: codeOf(secret, -1) })
          assert.strictEqual(recoveryOf(confirmed).length, 10)
          assert.include(
            (yield* ask("GET", "/account", { headers: { cookie: `__platform_auth=${session}` } })).text,
            "end_factor"
          )
          // A confirmed secret is not replaced.
          assert.strictEqual((yield* account(session, { act: "begin_factor", password })).status, 303)
          assert.isDefined(halfOf(yield* signIn("anna@example.org", password)))
          const [kept] = yield* Effect.flatMap(
            sql,
            (sql) =>
              sql<{
                recovery_codes: string
              }>`select recovery_codes from edge_auth.users where email = 'anna@example.org'`
          )
          assert.match(kept!.recovery_codes, /^sbx1\./)
          const audit = yield* Effect.flatMap(
            sql,
            (sql) =>
              sql<{
                action: string
                detail: unknown
              }>`select action, detail from core.audit where action like 'edge_factor%' order by id`
          )
          assert.deepStrictEqual(
            audit.map(({ action }) => action),
            ["edge_factor.begun", "edge_factor.set_up"]
          )
          assert.notInclude(JSON.stringify(audit), secret)
        }),
      120_000
    )

    it.effect(
      "asks for a code only after a correct password, and accepts every code once",
      () =>
        Effect.gen(function* () {
          const { email, recovery, secret } = yield* enrolled("ben@example.org")
          yield* steadyStep
          assert.isUndefined(halfOf(yield* signIn(email, "wrong password")))
          const asked = yield* signIn(email, password)
          assert.deepStrictEqual([asked.status, sessionOf(asked)], [200, undefined])
          const half = halfOf(asked)!
          // The token of the code form is not a session.
          assert.strictEqual(
            (yield* ask("GET", "/account", { headers: { cookie: `__platform_auth=${half}` } })).status,
            302
          )
          const code = codeOf(secret)
          const both = yield* Effect.all([byCode(half, code), byCode(halfOf(yield* signIn(email, password))!, code)], {
            concurrency: 2
          })
          assert.deepStrictEqual(both.map(({ status }) => status).toSorted(), [303, 401])
          // The sign-in that succeeded is closed. The other one needs a new code.
          const third = halfOf(yield* signIn(email, password))!
          assert.strictEqual((yield* byCode(third, code)).status, 401)
          assert.strictEqual((yield* byCode(third, recovery[0]!.toUpperCase())).status, 303)
          assert.strictEqual((yield* byCode(third, recovery[1]!)).status, 401)
          const [fourth, fifth] = [halfOf(yield* signIn(email, password))!, halfOf(yield* signIn(email, password))!]
          assert.strictEqual((yield* byCode(fourth, recovery[0]!)).status, 401)
          const raced = yield* Effect.all([byCode(fourth, recovery[2]!), byCode(fifth, recovery[2]!)], {
            concurrency: 2
          })
          assert.deepStrictEqual(raced.map(({ status }) => status).toSorted(), [303, 401])
        }),
      120_000
    )

    it.effect(
      "accepts each code once among parallel requests",
      () =>
        Effect.gen(function* () {
          const db = yield* sql
          const [user] = yield* db<{
            id: number
          }>`insert into edge_auth.users (email, password, name, status, role, totp_secret, totp_since, totp_step, recovery_codes)
          values ('zoe@example.org', '', 'Zoe', 'active', 'user', 'sbx1', now(), 7, 'before') returning id`
          const four = (act: ReturnType<typeof FactorRows.takeStep>) =>
            Effect.map(
              Effect.all(
                Array.from({ length: 4 }, () => act),
                { concurrency: "unbounded" }
              ),
              (done) => done.filter(Boolean).length
            ).pipe(Effect.provideService(SqlClient.SqlClient, db))
          assert.deepStrictEqual(
            [
              yield* four(FactorRows.takeStep(user!.id, 7)),
              yield* four(FactorRows.takeStep(user!.id, 8)),
              yield* four(FactorRows.takeStep(user!.id, 6))
            ],
            [0, 1, 0]
          )
          assert.strictEqual(yield* four(FactorRows.spendCode(user!.id, "before", "left")), 1)
        }),
      120_000
    )

    it.effect(
      "waits five minutes for a code, and counts wrong codes per account",
      () =>
        Effect.gen(function* () {
          const { email, recovery } = yield* enrolled("cora@example.org")
          const half = halfOf(yield* signIn(email, password))!
          for (let failure = 1; failure <= 11; failure++)
            assert.strictEqual((yield* byCode(half, "x", `198.51.100.${failure}`)).status, 401, String(failure))
          const blocked = yield* byCode(half, recovery[0]!, "198.51.100.99")
          assert.strictEqual(blocked.status, 429)
          assert.isAtMost(Math.abs(Number(blocked.headers.get("retry-after")) - accountWindow), 60)
          // A correct password is not a failure, but the code is still required.
          assert.isDefined(halfOf(yield* signIn(email, password)))
          yield* Effect.flatMap(sql, (sql) => sql`delete from edge_auth.login_attempts`)
          // The limit also applies per address, over all accounts.
          for (let failure = 1; failure <= 11; failure++) yield* byCode(half, "x", "198.51.100.200")
          yield* Effect.flatMap(
            sql,
            (sql) => sql`delete from edge_auth.login_attempts where starts_with(ip, 'account ')`
          )
          assert.strictEqual((yield* byCode(half, recovery[0]!, "198.51.100.200")).status, 429)
          yield* Effect.flatMap(sql, (sql) => sql`delete from edge_auth.login_attempts`)
          yield* Effect.flatMap(sql, (sql) => sql`update edge_auth.half_sign_ins set expires_at = now()`)
          const late = yield* byCode(half, recovery[0]!)
          assert.deepStrictEqual([late.status, halfOf(late), sessionOf(late)], [401, undefined, undefined])
          assert.strictEqual((yield* byCode("f".repeat(64), recovery[0]!)).status, 401)
        }),
      120_000
    )

    it.effect(
      "is turned off with a code or the password, or by an admin",
      () =>
        Effect.gen(function* () {
          const { email, recovery, session } = yield* enrolled("dora@example.org")
          const off = (proof: string) => account(session, { act: "end_factor", proof })
          assert.strictEqual((yield* off("not it")).status, 422)
          assert.isDefined(halfOf(yield* signIn(email, password)))
          assert.strictEqual((yield* off(recovery[0]!)).status, 303)
          assert.isString(sessionOf(yield* signIn(email, password)))
          const again = yield* account(session, { act: "begin_factor", password })
          yield* account(session, { act: "confirm_factor", code: codeOf(secretOf(again)) })
          assert.strictEqual((yield* off(password)).status, 303)

          const eve = yield* enrolled("eve@example.org")
          const half = halfOf(yield* signIn(eve.email, password))!
          yield* Effect.flatMap(
            sql,
            (sql) => sql`update edge_auth.users set role = 'admin' where email = 'dora@example.org'`
          )
          const [row] = yield* Effect.flatMap(
            sql,
            (sql) => sql<{ id: number }>`select id from edge_auth.users where email = ${eve.email}`
          )
          const reset = (by: string) => submit("/admin", { act: "reset_factor", id: String(row!.id) }, { session: by })
          assert.strictEqual((yield* reset(eve.session)).status, 403)
          assert.strictEqual((yield* reset(session)).status, 303)
          assert.strictEqual((yield* reset(session)).status, 409)
          assert.strictEqual((yield* byCode(half, eve.recovery[0]!)).status, 401)
          assert.isString(sessionOf(yield* signIn(eve.email, password)))
          const [line] = yield* Effect.flatMap(
            sql,
            (sql) =>
              sql<{
                entity_id: string
                actor: string
              }>`select entity_id, actor from core.audit where action = 'edge_factor.reset'`
          )
          assert.strictEqual(line!.entity_id, String(row!.id))
          assert.match(line!.actor, /^edge:\d+$/)
        }),
      120_000
    )
  })
})
