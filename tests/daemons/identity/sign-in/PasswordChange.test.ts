import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "#core/sql/Sql.ts"
import * as SignInLinks from "#daemons/identity/sessions/SignInLinks.ts"
import { methodsAfter } from "#daemons/identity/sign-in/PasswordChange.ts"
import { password, signInSuite } from "../SignInSuite.ts"
import { oncePerFile } from "#support/OncePerFile.ts"

const running = oncePerFile(signInSuite())

const next = "another horse battery"

it("the new session's methods do not contain the link", () => {
  expect(methodsAfter(["link:reset"])).toEqual(["password"])
  expect(methodsAfter(["password", "totp"])).toEqual(["password", "totp"])
})

it.live("a password change invalidates all earlier tokens and answers new ones", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, get, login, post, sql } = yield* running
      const { email, id } = yield* account()
      const other = (yield* login((yield* account()).email)).json.access_token
      const elsewhere = (yield* login(email)).json
      const { json: here } = yield* login(email)
      const link = yield* transaction(SignInLinks.make(id, 1, "reset")).pipe(
        Effect.provideService(SqlClient.SqlClient, sql)
      )
      const changed = yield* post(
        "password",
        { current_password: password, new_password: next },
        { bearer: here.access_token }
      )
      expect([changed.status, changed.headers.get("cache-control")]).toEqual([200, "no-store"])
      expect([
        (yield* get("me", elsewhere.access_token)).status,
        (yield* get("me", here.access_token)).status,
        (yield* post("refresh", { refresh_token: here.refresh_token })).status,
        (yield* post("link", { token: Redacted.value(link) })).status,
        (yield* login(email)).status
      ]).toEqual([401, 401, 401, 401, 401])
      expect([
        (yield* get("me", changed.json.access_token)).json.session.methods,
        (yield* post("refresh", { refresh_token: changed.json.refresh_token })).status,
        (yield* login(email, next)).status,
        (yield* get("me", other)).status
      ]).toEqual([["password"], 200, 200, 200])
      const [entry] = yield* sql<{
        detail: unknown
      }>`select detail from core.audit where action = 'user.password_changed' and actor = ${`user:${id}`}`
      expect(entry!.detail).toEqual({ sessions_ended: 2 })
    })
  )
)

it.live("a change requires the current password, obeys the password rules, and counts wrong attempts", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, login, post } = yield* signInSuite({ env: { AUTH_RATE_LIMIT_MAX: "2" } })
      const { email } = yield* account()
      const bearer = (yield* login(email)).json.access_token
      const change = (body: object) => post("password", body, { bearer })
      const short = yield* change({ current_password: password, new_password: "short" })
      expect([short.status, short.json.errors]).toEqual([
        422,
        [{ field: "payload.new_password", message: expect.stringContaining("at least 10"), code: "password_too_short" }]
      ])
      const missing = yield* change({ new_password: next })
      expect([missing.status, missing.json.errors[0].field]).toEqual([422, "payload.current_password"])
      for (let n = 0; n < 3; n++) {
        const wrong = yield* change({ current_password: "wrong password", new_password: next })
        expect([wrong.status, wrong.json.code]).toEqual([401, "invalid_credentials"])
      }
      expect((yield* change({ current_password: password, new_password: next })).status).toBe(429)
    })
  )
)

it.live("a change needs no current password if there is none, or if a reset link opened the session recently", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, post, sql } = yield* running
      const withoutPassword = yield* account({ hash: null })
      const forgetful = yield* account()
      const signIn = (id: number, purpose: SignInLinks.LinkPurpose) =>
        transaction(SignInLinks.make(id, 1, purpose)).pipe(
          Effect.provideService(SqlClient.SqlClient, sql),
          Effect.flatMap((token) => post("link", { token: Redacted.value(token) })),
          Effect.map(({ json }) => json.access_token as string)
        )
      const change = (bearer: string) =>
        Effect.map(post("password", { new_password: next }, { bearer }), ({ status }) => status)
      expect(yield* change(yield* signIn(withoutPassword.id, "invitation"))).toBe(200)
      expect(yield* change(yield* signIn(forgetful.id, "reset"))).toBe(200)
      expect(yield* change(yield* signIn(forgetful.id, "invitation"))).toBe(422)
      const late = yield* signIn(forgetful.id, "reset")
      yield* sql`update identity.session set created_at = now() - interval '61 minutes' where ended_at is null`
      expect(yield* change(late)).toBe(422)
    })
  )
)

it.live("one of two concurrent changes succeeds", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, login, post } = yield* running
      const { email } = yield* account()
      const bearer = (yield* login(email)).json.access_token
      const changes = ["another horse battery", "a third horse battery"]
      const both = yield* Effect.all(
        changes.map((new_password) => post("password", { current_password: password, new_password }, { bearer })),
        { concurrency: 2 }
      )
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
      const won = both.findIndex(({ status }) => status === 200)
      expect([(yield* login(email, changes[won]!)).status, (yield* login(email, changes[1 - won]!)).status]).toEqual([
        200, 401
      ])
    })
  )
)
