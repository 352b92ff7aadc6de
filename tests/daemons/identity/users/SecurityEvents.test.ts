/**
 * Security events of an account: each change is announced once, to its owner only, and a request without a change is
 * not announced.
 */
import { expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SecurityChanged } from "#core/contracts/Identity.ts"
import { factorSuite } from "../factors/FactorSuite.ts"
import { bearing, password } from "../SignInSuite.ts"

it.live(
  "the owner receives an event for a new password, a changed factor, new recovery codes and a sign-out by others",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { call, person, post, remove, signIn, sql, withApp } = yield* factorSuite()
        const admin = yield* person({ role: "admin" })
        const someone = yield* person()
        const told = Effect.fnUntraced(function* () {
          const rows = yield* sql<{
            user_id: number
            tenant_id: number
            data: unknown
          }>`select user_id, tenant_id, data from core.event
        where type = 'identity.security.changed' order by id`
          return rows.map(({ data, tenant_id, user_id }) => {
            const event = Schema.decodeUnknownSync(SecurityChanged.data)(data)
            expect([event.user_id, event.tenant_id, user_id, tenant_id]).toEqual([someone.id, 1, someone.id, 1])
            expect(Date.parse(event.at)).toBeGreaterThan(Date.now() - 120_000)
            return event.change
          })
        })
        // A setup that is started and abandoned is no change.
        yield* post("totp", { password }, { bearer: someone.bearer })
        yield* remove("totp", someone.bearer)
        expect(yield* told()).toEqual([])
        yield* withApp(someone)
        yield* post("recovery-codes", { password }, { bearer: someone.bearer })
        expect((yield* remove("totp", someone.bearer)).status).toBe(204)
        expect(yield* told()).toEqual(["second_factor_added", "recovery_codes_renewed", "second_factor_removed"])
        const changed = yield* post(
          "password",
          { current_password: password, new_password: "another long phrase" },
          { bearer: someone.bearer }
        )
        expect(changed.status).toBe(200)
        const by = (path: string, body?: unknown) =>
          call("POST", `/api/v1/users/${someone.id}/${path}`, {
            headers: bearing(admin.bearer),
            ...(body === undefined ? {} : { body })
          })
        expect((yield* by("sign-out")).status).toBeLessThan(300)
        // No session was open any more.
        yield* by("sign-out")
        expect((yield* by("password", { password })).status).toBeLessThan(300)
        expect((yield* told()).slice(3)).toEqual(["password_changed", "sessions_ended", "password_changed"])
        expect((yield* signIn(someone.email)).status).toBe(200)
      })
    ),
  120_000
)
