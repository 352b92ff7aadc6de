/**
 * Answers to the switch while Postgres is unreachable: the last known data for a limited time, then answers that permit
 * nothing.
 */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { admitPostgres } from "#core/sql/IoGuard.ts"
import * as Door from "#support/Door.ts"
import { until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { asking, lookUp } from "#support/switch/LookUps.ts"
import { startSwitch } from "./SwitchSuite.ts"

const anna = asking(lookUp("A10-register-a1hash", "action=sip_auth"), { user: "1001" })
const call = asking(lookUp("A31", "section=dialplan"), {
  "Hunt-Destination-Number": "%2B4930123001",
  "Hunt-Network-Addr": "192.0.2.9"
})

const sofia = lookUp("A02", "key_value=sofia.conf")

/** sip-config with a connection to Postgres that the test can close. */
const behindDoor = (staleFor: number) =>
  Effect.gen(function* () {
    const database = yield* freshDatabase
    const { database: name, host, port, user } = database.target
    const door = yield* Door.make({ path: `${host}/.s.PGSQL.${port}` })
    admitPostgres("127.0.0.1", door.port)
    const suite = yield* startSwitch({
      database,
      env: {
        DATABASE_URL: `postgres://${user}@127.0.0.1:${door.port}/${name}?sslmode=disable`,
        SIGNALBOX_SWITCH_STALE_FOR: String(staleFor)
      }
    })
    yield* suite.fill
    const picture = Effect.map(
      suite.call("GET", "/health", { of: "sip-config" }),
      ({ json }) => json.components.switch_picture.status as string
    )
    return { ...suite, door, picture }
  })

for (const way of ["shut", "mute"] as const) {
  it.live(
    `with Postgres ${way} look-ups go on, at once, and rightly again soon after`,
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { ask, door, picture, sql } = yield* behindDoor(600)
          yield* until(
            "health is well at first",
            Effect.map(picture, (status) => status === "ok")
          )
          const before = (yield* ask(anna)).text
          yield* door.set(way)
          yield* until(
            "health says so",
            Effect.map(Effect.andThen(ask(anna), picture), (status) => status === "degraded")
          )
          const waits: Array<number> = []
          for (let round = 0; round < 200; round++) {
            const begun = performance.now()
            const [user, way] = yield* Effect.all([ask(anna), ask(call)], { concurrency: 2 })
            waits.push(performance.now() - begun)
            expect([user.status, user.text, way.status, way.text.includes("bridge")]).toEqual([200, before, 200, true])
          }
          // Requests do not wait for a comparison that fails after 800 ms.
          expect(waits.toSorted((a, b) => a - b)[190]!).toBeLessThan(400)
          yield* sql`update sip_config.extension set enabled = false where id = 1`
          yield* door.set("open")
          yield* until(
            "the change arrives",
            Effect.map(ask(anna), ({ text }) => !text.includes("a1-hash"))
          )
          yield* until(
            "health is well",
            Effect.map(picture, (status) => status === "ok")
          )
        })
      ),
    120_000
  )
}

it.live(
  "after the bound nobody is in a domain and every call is refused, with HTTP 200 all along",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ask, door, picture } = yield* behindDoor(1)
        yield* door.set("shut")
        yield* until(
          "503",
          Effect.map(ask(call), ({ status, text }) => {
            expect(status).toBe(200)
            return text.includes('data="503 Service Unavailable"')
          })
        )
        yield* until(
          "health says down",
          Effect.map(picture, (status) => status === "down")
        )
        const { status, text } = yield* ask(anna)
        expect([status, text.includes('<domain name="lab.example">'), text.includes("<user")]).toEqual([
          200,
          true,
          false
        ])
        expect((yield* ask(sofia)).text).not.toContain("trunk-secret")
        yield* door.set("open")
        yield* until(
          "all is well again",
          Effect.map(ask(anna), ({ text }) => text.includes("a1-hash"))
        )
        // On a busy machine the data may be older than a second once more.
        yield* until(
          "calls go through again",
          Effect.map(ask(call), ({ text }) => text.includes("bridge"))
        )
      })
    ),
  120_000
)
