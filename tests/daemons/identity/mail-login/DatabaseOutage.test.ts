/** Introspection answers while the database, or its notifications, are unavailable. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { admitPostgres } from "#core/sql/IoGuard.ts"
import * as Door from "#support/Door.ts"
import { holdsAfter, until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { answered } from "./Answered.ts"
import { startMail } from "./MailSuite.ts"

const user = { userId: 7, tenantId: 2, email: "u@x.test" }

/** identity with a connection to Postgres that the test can close. */
const behindDoor = Effect.gen(function* () {
  const database = yield* freshDatabase
  const { host, port, user: role, database: name } = database.target
  const door = yield* Door.make({ path: `${host}/.s.PGSQL.${port}` })
  admitPostgres("127.0.0.1", door.port)
  const mail = yield* startMail({
    database,
    env: { DATABASE_URL: `postgres://${role}@127.0.0.1:${door.port}/${name}?sslmode=disable` }
  })
  return { ...mail, door }
})

for (const way of ["shut", "mute"] as const) {
  it.live(
    `with Postgres ${way} every request gets 503 within a second, and correct answers return soon after`,
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { ask, door, key, secret, tell } = yield* behindDoor
          yield* tell()
          const session = randomUUID()
          const [good, fresh, over] = yield* Effect.promise(() =>
            Promise.all([key.mail({ ...user, session }), key.mail(user), key.mail({ ...user, expires: 1 })])
          )
          expect((yield* answered(ask(good))).json.active).toBe(true)
          yield* door.set(way)
          // For at most a second it still answers from its projection.
          yield* holdsAfter(
            1_000,
            "the picture is too old",
            Effect.map(ask(good), ({ status }) => status === 503)
          )
          const asked = [good, fresh, over, "nonsense"].map((token) =>
            Effect.gen(function* () {
              const begun = performance.now()
              const { json, status } = yield* ask(token)
              expect([status, json.error]).toEqual([503, "temporarily_unavailable"])
              return performance.now() - begun
            })
          )
          const stranger = ask(good, { headers: { authorization: "Basic eDp5" } })
          const round = Effect.all([Effect.all(asked, { concurrency: 4 }), stranger], { concurrency: 2 })
          let rounds = 0
          // The time that an answer takes also depends on what else the machine does, so one quick round is enough.
          yield* until(
            "every request gets 503 within a second",
            Effect.gen(function* () {
              const [took, { status }] = yield* round
              expect(status).toBe(503)
              return ++rounds >= 3 && Math.max(...took) < 1_000
            }),
            20
          )
          yield* door.set("open")
          yield* until(
            "it answers again",
            Effect.map(ask(fresh), ({ json }) => json.active === true)
          )
          expect((yield* answered(ask(over))).json).toEqual({ active: false })
          expect(secret).toMatch(/^sbx_/)
        })
      ),
    120_000
  )

  it.live(
    `with Postgres ${way} a user's token does not get 401`,
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { call, door, key } = yield* behindDoor
          const access = yield* Effect.promise(() => key.access({ userId: 7, tenantId: 2 }))
          const mailToken = call("POST", "/api/v1/auth/mail-token", { headers: { authorization: `Bearer ${access}` } })
          expect((yield* answered(mailToken)).status).toBe(404)
          yield* door.set(way)
          yield* until(
            "503",
            Effect.map(mailToken, ({ json, status }) => status === 503 && json.code === "unavailable")
          )
          yield* door.set("open")
          yield* until(
            "it answers again",
            Effect.map(mailToken, ({ status }) => status === 404)
          )
        })
      ),
    120_000
  )
}

it.live("a suspension takes effect within a second without a listening connection", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const { ask, key, sql, tell } = yield* startMail()
      yield* tell()
      const token = yield* Effect.promise(() => key.mail(user))
      const asked = answered(ask(token))
      expect((yield* asked).json.active).toBe(true)
      const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like '%listener'`
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(cut, Effect.sleep(20))))
      for (const state of ["suspended", "active", "suspended"] as const) {
        yield* tell({ state })
        yield* holdsAfter(
          1_000,
          state,
          Effect.map(asked, ({ json }) => json.active === (state === "active"))
        )
      }
    })
  )
)
