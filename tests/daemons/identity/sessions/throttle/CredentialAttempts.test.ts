import { expect, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import { Worker } from "node:worker_threads"
import { password, signInSuite } from "../../SignInSuite.ts"

/** Counts the passwords that are sent to the hash threads, until the scope ends. */
const hashed = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => vi.spyOn(Worker.prototype, "postMessage")),
    (spy) => Effect.sync(() => spy.mockRestore())
  ),
  (spy) => () => spy.mock.calls.length
)

it.live("ten failures at an account, from any address, do not block; the eleventh does", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, login, sql } = yield* signInSuite()
      const { email } = yield* account()
      const looked = yield* hashed
      for (let n = 0; n < 11; n++) expect((yield* login(email, "wrong password", `192.0.2.${n}`)).status).toBe(401)
      expect(looked()).toBe(11)
      const twelfth = yield* login(email, password, "192.0.2.99")
      expect([twelfth.status, twelfth.json.code, looked()]).toEqual([429, "too_many_requests", 11])
      expect(Number(twelfth.headers.get("retry-after"))).toBeGreaterThan(200)
      expect(
        (yield* sql`select 1 from core.audit where action = 'refused.throttled' and address = '192.0.2.99'`).length
      ).toBe(1)
    })
  )
)

it.live("eleven of a hundred concurrent attempts are checked: ten failures do not block", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { login } = yield* signInSuite()
      const looked = yield* hashed
      const answers = yield* Effect.forEach(
        Array.from({ length: 100 }, (_, n) => `nobody${n}@example.org`),
        (email) => login(email, "wrong password", "192.0.2.7"),
        { concurrency: "unbounded" }
      )
      const of = (status: number) => answers.filter((answer) => answer.status === status).length
      expect([of(401), of(429), looked()]).toEqual([11, 89, 11])
    })
  )
)

it.live("successful attempts are not counted", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, login } = yield* signInSuite({ env: { AUTH_RATE_LIMIT_MAX: "1" } })
      const { email } = yield* account()
      for (let n = 0; n < 4; n++) expect((yield* login(email)).status).toBe(200)
      expect((yield* login(email, "wrong password")).status).toBe(401)
      expect((yield* login(email)).status).toBe(200)
      expect((yield* login("nobody@example.org")).status).toBe(401)
      expect((yield* login(email)).status).toBe(429)
    })
  )
)
