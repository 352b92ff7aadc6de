import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { sweep } from "#daemons/identity/sessions/SessionSweep.ts"
import { Throttle } from "#daemons/identity/sessions/throttle/Throttle.ts"
import { signInSuite } from "../SignInSuite.ts"

it.live("the sweep deletes expired rows and keeps active ones", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { account, login, post, sql } = yield* signInSuite()
      const { email } = yield* account()
      const stands = (yield* login(email)).json
      yield* post("refresh", { refresh_token: stands.refresh_token })
      yield* sql`update identity.refresh_token set used_at = now() - interval '31 days' where used_at is not null`
      for (const _ of [1, 2, 3]) yield* login(email)
      const ids = (yield* sql<{ id: string }>`select id from identity.session order by created_at`).map(({ id }) => id)
      yield* sql`update identity.session set expires_at = now() - interval '31 days' where id = ${ids[1]!}`
      yield* sql`update identity.session set ended_at = now() - interval '31 days' where id = ${ids[2]!}`
      yield* sql`update identity.session set ended_at = now() - interval '29 days', expires_at = now() - interval '60 days' where id = ${ids[3]!}`
      const link = (
        name: string,
        expires: string
      ) => sql`insert into identity.sign_in_link (hash, tenant_id, account_id, purpose, methods, expires_at)
      select ${Buffer.from(name)}, 1, id, 'reset', '{}', now() + ${expires}::interval from identity.account`
      yield* link("good", "1 hour")
      yield* link("old", "-25 hours")

      let swept = 0
      const throttle = Layer.succeed(Throttle, { sweep: Effect.sync(() => ++swept) } as never)
      expect(yield* sweep.pipe(Effect.provide(throttle), Effect.provideService(SqlClient.SqlClient, sql))).toBe(2)
      expect(
        (yield* sql<{ id: string }>`select id from identity.session order by created_at`).map(({ id }) => id)
      ).toEqual([ids[0], ids[3]])
      // The current token, and that of the recently ended session.
      expect((yield* sql`select 1 from identity.refresh_token`).length).toBe(2)
      expect(yield* sql`select convert_from(hash, 'UTF8') as name from identity.sign_in_link`).toEqual([
        { name: "good" }
      ])
      expect(swept).toBe(1)
    })
  )
)
