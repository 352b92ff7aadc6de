import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { decodeJwt } from "jose"
import { choose } from "#daemons/identity/mail-login/MailTokens.ts"
import type { CachedMailAccount } from "#daemons/identity/mail-login/MailAccountsProjection.ts"
import { holdsAfter } from "#support/Frame.ts"
import { answered } from "./Answered.ts"
import { startMail } from "./MailSuite.ts"

const account = (over: Partial<CachedMailAccount> = {}): CachedMailAccount => ({
  address: "u@x.test",
  userId: 7,
  tenantId: 2,
  state: "active",
  isDefault: false,
  version: 1,
  ...over
})
const caller = {
  kind: "user",
  userId: 7,
  tenantId: 2,
  role: "user",
  session: "s",
  permissions: new Set<never>()
} as const

it("the requested account is chosen, or else the default; no other is taken instead", () => {
  const first = account({ address: "a@x.test" })
  const second = account({ address: "b@x.test" })
  expect(choose([first, second], caller, undefined)).toBe(first)
  expect(choose([first, second], caller, "b@x.test")).toBe(second)
  expect(choose([account({ state: "suspended" }), second], caller, undefined)).toBe("suspended")
  expect(choose([account({ state: "suspended" }), second], caller, "b@x.test")).toBe(second)
  expect(choose([account({ state: "deleted" }), second], caller, undefined)).toBe(second)
  expect(choose([account({ state: "suspended" })], caller, undefined)).toBe("suspended")
  expect(choose([account({ state: "suspended" })], caller, "u@x.test")).toBe("suspended")
  expect(choose([account({ state: "deleted" })], caller, "u@x.test")).toBe("none")
  expect(choose([account({ tenantId: 3 })], caller, undefined)).toBe("none")
  expect(choose([], caller, "u@x.test")).toBe("none")
})

it.live("a signed-in user gets a token for an own account, and introspection accepts it", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { ask, call, key, sql, tell } = yield* startMail()
      yield* tell({ address: "u@x.test", is_default: false })
      yield* tell({ address: "main@x.test", is_default: true })
      yield* tell({ address: "shut@x.test", is_default: false, state: "suspended" })
      yield* tell({ address: "other@x.test", user_id: 8 })
      yield* tell({ address: "far@x.test", tenant_id: 3 })
      const session = "0b5c5f6e-8a5e-4f0e-9a55-0f4f5a1f0001"
      const authorization = `Bearer ${yield* Effect.promise(() => key.access({ userId: 7, tenantId: 2, session }))}`
      const get = (body?: unknown) =>
        answered(
          call("POST", "/api/v1/auth/mail-token", {
            headers: { authorization },
            ...(body === undefined ? {} : { body })
          })
        )

      const usual = yield* get()
      expect(usual.status).toBe(200)
      const { access_token, ...rest } = usual.json
      expect(rest).toEqual({ token_type: "Bearer", expires_in: 3600, email: "main@x.test" })
      const now = Math.floor(Date.now() / 1000)
      const claims = decodeJwt(access_token)
      expect(claims).toMatchObject({
        type: "mail_access",
        iss: "signalbox",
        aud: "mail",
        sub: "7",
        tid: 2,
        sid: session,
        email: "main@x.test"
      })
      expect(Math.abs(claims.exp! - now - 3600)).toBeLessThan(5)
      expect(usual.headers.get("cache-control")).toBe("no-store")
      const asked = answered(ask(access_token))
      expect((yield* asked).json).toMatchObject({ active: true, username: "main@x.test", exp: claims.exp })

      expect((yield* get({ email: "U@X.TEST" })).json.email).toBe("u@x.test")
      for (const email of ["other@x.test", "far@x.test", "nobody@x.test"]) {
        const { json, status } = yield* get({ email })
        expect([status, json.code, json.detail]).toEqual([404, "not_found", "You have no such mail account."])
      }
      const shut = yield* get({ email: "shut@x.test" })
      expect([shut.status, shut.json.code]).toEqual([409, "mail_account_suspended"])
      expect((yield* get({ email: 5 })).json.errors[0].field).toContain("email")

      // Without an address the default is meant, also when it is suspended.
      yield* tell({ address: "main@x.test", is_default: true, state: "suspended" })
      yield* holdsAfter(
        2_000,
        "the default is suspended",
        Effect.map(get(), ({ json, status }) => status === 409 && json.code === "mail_account_suspended")
      )
      expect((yield* get({ email: "u@x.test" })).json.email).toBe("u@x.test")

      yield* sql`insert into core.ended_session (session, forget_at) values (${session}, now() + interval '1 day')`
      yield* holdsAfter(
        2_000,
        "the mail token has ended with its session",
        Effect.map(asked, ({ json }) => json.active === false)
      )
      yield* holdsAfter(
        2_000,
        "so has the access token",
        Effect.map(get(), ({ status }) => status === 401)
      )
    })
  )
)

it.live("only signed-in users get a token", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { call, key, tell, token } = yield* startMail()
      yield* tell()
      const mail = yield* Effect.promise(() => key.mail({ userId: 7, tenantId: 2, email: "u@x.test" }))
      expect((yield* call("POST", "/api/v1/auth/mail-token")).status).toBe(401)
      expect(
        (yield* call("POST", "/api/v1/auth/mail-token", { headers: { authorization: `Bearer ${mail}` } })).status
      ).toBe(401)
      expect((yield* call("POST", "/api/v1/auth/mail-token", { token: yield* token })).status).toBe(403)
    })
  )
)
