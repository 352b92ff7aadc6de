import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { identity } from "#daemons/identity/Daemon.ts"
import { holdsAfter } from "#support/Frame.ts"
import { startSuite } from "#support/TestSuite.ts"
import { bearing, signInSuite } from "../SignInSuite.ts"

it.live("a refresh token is exchanged once; a second use ends its session in every process", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* signInSuite()
      const { account, database, env, login, post, sql } = suite
      const other = yield* startSuite({
        daemons: [identity],
        database,
        env: { SIGNALBOX_KEY_FILE: `${env["SIGNALBOX_DATA_DIR"]}/keys` }
      })
      const meThere = (token: string) =>
        Effect.map(other.call("GET", "/api/v1/auth/me", { headers: bearing(token) }), ({ status }) => status)
      const { email, id } = yield* account()
      const { json: first } = yield* login(email)
      const second = yield* post("refresh", { refresh_token: first.refresh_token })
      expect([second.status, second.headers.get("cache-control")]).toEqual([200, "no-store"])
      expect(second.json.refresh_token).not.toBe(first.refresh_token)
      const third = yield* post("refresh", { refresh_token: second.json.refresh_token })
      expect(third.status).toBe(200)
      expect(yield* meThere(third.json.access_token)).toBe(200)

      const reused = yield* post("refresh", { refresh_token: first.refresh_token })
      expect([reused.status, reused.json.code]).toEqual([401, "invalid_refresh_token"])
      yield* holdsAfter(
        1_000,
        "the successor's access token is refused there",
        Effect.map(meThere(third.json.access_token), (status) => status === 401)
      )
      const successor = yield* post("refresh", { refresh_token: third.json.refresh_token })
      const unknown = yield* post("refresh", { refresh_token: "sbr_unknown" })
      expect([successor.status, successor.text, unknown.text]).toEqual([401, reused.text, reused.text])
      expect((yield* sql`select 1 from core.audit where action = 'refused.refresh_reuse'`).length).toBe(1)

      // A suspended account and an expired session get the same answer.
      const { json: again } = yield* login(email)
      yield* sql`update identity.account set state = 'suspended' where id = ${id}`
      expect((yield* post("refresh", { refresh_token: again.refresh_token })).text).toBe(reused.text)
      yield* sql`update identity.account set state = 'active' where id = ${id}`
      yield* sql`update identity.session set expires_at = now() where ended_at is null`
      expect((yield* post("refresh", { refresh_token: again.refresh_token })).text).toBe(reused.text)
    })
  )
)

it.live("one of two concurrent refreshes gets the next token", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, login, post } = yield* signInSuite()
      const { json } = yield* login((yield* account()).email)
      const both = yield* Effect.all(
        [1, 2].map(() => post("refresh", { refresh_token: json.refresh_token })),
        { concurrency: 2 }
      )
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
    })
  )
)
