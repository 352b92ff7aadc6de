import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "#support/Frame.ts"
import { appCode, factorSuite, wrongCode } from "../factors/FactorSuite.ts"
import { password } from "../SignInSuite.ts"

it.live(
  "the second factor is requested only after the correct password; a wrong code looks like a wrong password",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { get, login, person, post, signIn, sql, withApp } = yield* factorSuite({
          env: { AUTH_RATE_LIMIT_MAX: "3" }
        })
        const { email, id, secret } = yield* Effect.flatMap(person(), withApp)

        const asked = yield* signIn(email)
        expect([asked.status, asked.json.code, asked.json.methods, asked.json.access_token]).toEqual([
          401,
          "second_factor_required",
          ["totp"],
          undefined
        ])
        const wrongPassword = yield* login(email, "wrong password")
        const wrong = yield* signIn(email, wrongCode(secret))
        const both = yield* post("login", { email, password: "wrong password", code: appCode(secret, 1) })
        expect([wrong.status, wrong.text, both.text]).toEqual([401, wrongPassword.text, wrongPassword.text])
        yield* until(
          "the code is written down",
          Effect.map(
            sql`select 1 from core.audit where action = 'refused.second_factor' and entity_id = ${String(id)}`,
            (rows) => rows.length === 1
          )
        )
        expect((yield* sql`select 1 from identity.session where account_id = ${id} and ended_at is null`).length).toBe(
          1
        )

        // The request for a code did not count; three wrong codes did. The right code uses the last attempt and clears
        // the account's count.
        const code = appCode(secret, 1)
        const opened = yield* signIn(email, ` ${code.slice(0, 3)} ${code.slice(3)} `)
        expect(opened.status).toBe(200)
        expect((yield* get("me", opened.json.access_token)).json).toMatchObject({
          factors: ["totp"],
          session: { methods: ["password", "totp"] }
        })

        for (let n = 0; n < 4; n++)
          yield* post("login", { email, password, code: wrongCode(secret) }, { from: "192.0.2.1" })
        expect((yield* post("login", { email, password, code: wrongCode(secret) }, { from: "192.0.2.2" })).status).toBe(
          429
        )
      })
    )
)
