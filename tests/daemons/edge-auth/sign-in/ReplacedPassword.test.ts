/** A sign-in during which an administrator replaces the password begins no session. */
import { assert, describe, layer } from "@effect/vitest"
import { hashSync } from "bcryptjs"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { until } from "#support/Frame.ts"
import { startSuite } from "#support/TestSuite.ts"
import { password, Place, submit } from "../Browser.ts"

const place = Layer.effect(
  Place,
  startSuite({
    daemons: [edgeAuth],
    env: { AUTH_COOKIE_DOMAIN: "example.org", SIGNALBOX_TRUSTED_PROXIES: "127.0.0.0/8" }
  })
)

const email = "replaced@example.org"

describe("a sign-in with a right password", () => {
  layer(place, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect("is refused when the password is replaced before its session begins", () =>
      Effect.gen(function* () {
        const { sql } = yield* Place
        const [{ id }] = (yield* sql<{ id: number }>`insert into edge_auth.users (email, name, password, status, role)
          values (${email}, 'R', ${hashSync(password, 12)}, 'active', 'user') returning id`) as [{ id: number }]
        const [locked, waiting] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const replacing = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`select 1 from edge_auth.users where id = ${id} for update`
              yield* Deferred.succeed(locked, undefined)
              yield* Deferred.await(waiting)
              yield* sql`update edge_auth.users set password = ${hashSync("another horse battery", 12)} where id = ${id}`
            })
          )
        )
        yield* Deferred.await(locked)
        const signingIn = yield* Effect.forkChild(submit("/login", { email, password }))
        yield* until(
          "the sign-in waits for the user's row",
          Effect.map(
            sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and query like '%edge_auth.users%'`,
            (rows) => rows.length > 0
          )
        )
        yield* Deferred.succeed(waiting, undefined)
        yield* Fiber.join(replacing)
        const { status } = yield* Fiber.join(signingIn)
        assert.strictEqual(status, 401)
        assert.deepStrictEqual(yield* sql`select id from edge_auth.sessions where user_id = ${id}`, [])
      })
    )
  })
})
