/** Second factors through the endpoints, with codes of a simulated authenticator app. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { password } from "../SignInSuite.ts"
import { appCode, factorSuite, waitingFor, wrongCode } from "./FactorSuite.ts"
import { oncePerFile } from "#support/OncePerFile.ts"

const running = oncePerFile(factorSuite())

it.live("an app is set up, then required, replaced once by a recovery code, and removed", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { list, person, post, remove, signIn, sql } = yield* running
      const someone = yield* person()
      const { bearer, email } = someone

      const begun = yield* post("totp", { password }, { bearer })
      expect([begun.status, begun.headers.get("cache-control")]).toEqual([200, "no-store"])
      const { qr_svg, secret, uri } = begun.json
      expect(uri).toBe(
        `otpauth://totp/Signalbox:${encodeURIComponent(email)}?issuer=Signalbox&secret=${secret}&algorithm=SHA1&digits=6&period=30`
      )
      expect(qr_svg).toMatch(/^<svg /)
      // An unconfirmed factor is not required.
      expect((yield* signIn(email)).status).toBe(200)
      const wrong = yield* post("totp/confirm", { code: wrongCode(secret) }, { bearer })
      expect([wrong.status, wrong.json.code, wrong.json.errors[0].field]).toEqual([422, "invalid_code", "payload.code"])
      yield* sql`update identity.totp set created_at = created_at - interval '15 minutes'`
      expect((yield* post("totp/confirm", { code: appCode(secret) }, { bearer })).status).toBe(422)
      yield* sql`update identity.totp set created_at = now()`

      const confirmed = yield* post("totp/confirm", { code: appCode(secret) }, { bearer })
      const codes: ReadonlyArray<string> = confirmed.json.recovery_codes
      expect([confirmed.status, codes.length, new Set(codes).size]).toEqual([200, 10, 10])
      expect(yield* list(bearer)).toEqual({
        factors: [{ type: "totp", since: expect.any(String) }],
        recovery_codes_left: 10,
        available: ["totp", "messenger"]
      })

      const asked = yield* signIn(email)
      expect([asked.status, asked.json.code, asked.json.methods]).toEqual([401, "second_factor_required", ["totp"]])
      expect((yield* signIn(email, wrongCode(secret))).json.code).toBe("invalid_credentials")
      expect((yield* signIn(email, appCode(secret, 1))).status).toBe(200)
      // A recovery code as typed from paper. It works once.
      const typed = codes[3]!.toUpperCase().replace("-", " ")
      const inByPaper = yield* signIn(email, typed)
      expect(inByPaper.status).toBe(200)
      expect((yield* signIn(email, codes[3]!)).status).toBe(401)
      expect((yield* list(bearer)).recovery_codes_left).toBe(9)

      expect((yield* remove("totp", inByPaper.json.access_token)).status).toBe(204)
      expect(yield* list(inByPaper.json.access_token)).toMatchObject({ factors: [], recovery_codes_left: 0 })
      expect((yield* signIn(email)).status).toBe(200)
      expect((yield* remove("totp", inByPaper.json.access_token)).status).toBe(404)
      const actions = yield* sql<{
        action: string
      }>`select action from core.audit where entity_id = ${String(someone.id)}
      and entity_type = 'user' and action not like 'refused%' order by id`
      expect(actions.map(({ action }) => action)).toEqual([
        "second_factor.begun",
        "second_factor.added",
        "recovery_code.used",
        "second_factor.removed"
      ])
    })
  )
)

it.live("a change of factors ends all sessions of the account except the current one", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { get, person, post, remove, signIn, sql, withApp } = yield* running
      const someone = yield* person()
      const other = yield* signIn(someone.email)
      const stranger = yield* person()
      const { secret } = yield* withApp(someone)
      const mine = (bearer: string) => Effect.map(get("me", bearer), ({ status }) => status)
      expect([yield* mine(someone.bearer), yield* mine(other.json.access_token), yield* mine(stranger.bearer)]).toEqual(
        [200, 401, 200]
      )
      expect((yield* post("refresh", { refresh_token: other.json.refresh_token })).status).toBe(401)
      const second = yield* signIn(someone.email, appCode(secret, 1))
      yield* remove("totp", someone.bearer)
      expect([yield* mine(someone.bearer), yield* mine(second.json.access_token)]).toEqual([200, 401])
      const ended = yield* sql<{
        because: string
      }>`select distinct ended_because as because from identity.session where ended_at is not null`
      expect(ended).toEqual([{ because: "second_factor_changed" }])
    })
  )
)

it.live("a code is accepted once, also in concurrent requests", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { person, signIn, sql, withApp } = yield* running
      const { codes, email, id, secret } = yield* Effect.flatMap(person(), withApp)
      const first = appCode(secret)
      const next = appCode(secret, 1)
      const statuses = (answers: ReadonlyArray<{ readonly status: number }>) =>
        answers.map(({ status }) => status).toSorted()
      // Both requests find the code valid before either uses it up.
      const rows = (table: "totp" | "recovery_code") =>
        sql`select 1 from identity.${sql.literal(table)} where account_id = ${id} for update`
      const twice = (code: string, table: "totp" | "recovery_code") =>
        waitingFor(sql, rows(table), 2, Effect.all([signIn(email, code), signIn(email, code)], { concurrency: 2 }))
      expect(statuses(yield* twice(next, "totp"))).toEqual([200, 401])
      expect(statuses(yield* twice(codes[0]!, "recovery_code"))).toEqual([200, 401])
      // Neither this code nor the previous one is valid any more.
      for (const code of [next, first]) expect((yield* signIn(email, code)).status).toBe(401)
    })
  )
)

it.live("changes require the password, or a recent session for accounts without a password", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { call, person, post, remove, sql, withApp } = yield* running
      const someone = yield* person()
      const { bearer } = someone
      const none = yield* post("totp", undefined, { bearer })
      expect([none.status, none.json.errors[0].field]).toEqual([422, "payload.password"])
      const wrong = yield* post("totp", { password: "not the password" }, { bearer })
      expect([wrong.status, wrong.json.code]).toEqual([401, "invalid_credentials"])
      yield* withApp(someone)
      for (const path of ["totp", "messenger"])
        expect((yield* remove(path, bearer, { password: "not the password" })).status).toBe(401)
      expect((yield* post("recovery-codes", { password: "not the password" }, { bearer })).status).toBe(401)
      expect((yield* post("totp", { password }, { bearer })).json.code).toBe("factor_active")
      const refusals =
        yield* sql`select 1 from core.audit where action = 'refused.password' and entity_id = ${String(someone.id)}`
      expect(refusals.length).toBe(1)

      yield* sql`update identity.account set password_hash = null where id = ${someone.id}`
      expect((yield* post("recovery-codes", null, { bearer })).status).toBe(200)
      yield* sql`update identity.session set created_at = now() - interval '10 minutes 1 second' where account_id = ${someone.id}`
      const stale = yield* post("recovery-codes", null, { bearer })
      expect([stale.status, stale.json.code]).toEqual([403, "recent_sign_in_required"])
      const token = yield* call("GET", "/api/v1/auth/factors", { token: "sbx_none" })
      expect(token.status).toBe(401)
    })
  )
)

it.live("new recovery codes replace the old ones and require an active factor", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { person, post, signIn, withApp } = yield* running
      const someone = yield* person()
      const { bearer, email } = someone
      expect((yield* post("recovery-codes", { password }, { bearer })).json.code).toBe("no_second_factor")
      const { codes } = yield* withApp(someone)
      const renewed = yield* post("recovery-codes", { password }, { bearer })
      expect(renewed.json.recovery_codes.length).toBe(10)
      expect((yield* signIn(email, codes[0])).status).toBe(401)
      expect((yield* signIn(email, renewed.json.recovery_codes[0])).status).toBe(200)
    })
  )
)

it.live("a factor confirmed during a sign-in by password alone makes this sign-in fail", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { person, post, signIn, sql } = yield* running
      const { bearer, email } = yield* person()
      const { json } = yield* post("totp", { password }, { bearer })
      // A sign-in locks the tenant between reading the factors and creating the session. The test makes it wait there.
      const tenant = sql`select 1 from identity.tenant where id = 1 for update`
      const late = yield* waitingFor(
        sql,
        tenant,
        1,
        signIn(email),
        Effect.gen(function* () {
          expect((yield* post("totp/confirm", { code: appCode(json.secret) }, { bearer })).status).toBe(200)
        })
      )
      expect(late.status).toBe(401)
    })
  )
)

it.live("a pending app permits ten confirmation codes, then the set-up must start again", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { person, post } = yield* running
      const { bearer } = yield* person()
      const { json } = yield* post("totp", { password }, { bearer })
      const tried = yield* Effect.all(
        Array.from({ length: 10 }, () => post("totp/confirm", { code: wrongCode(json.secret) }, { bearer })),
        { concurrency: 5 }
      )
      expect(tried.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 422))
      expect((yield* post("totp/confirm", { code: appCode(json.secret) }, { bearer })).json.code).toBe("invalid_code")
      const again = yield* post("totp", { password }, { bearer })
      expect((yield* post("totp/confirm", { code: appCode(again.json.secret) }, { bearer })).status).toBe(200)
    })
  )
)
