/** Rounds of looks at pending claims: a failed or interrupted look is repeated soon and does not end the others. */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { challengeName, challengeOf } from "#core/ownership/Challenge.ts"
import { round } from "#daemons/dns-verifier/name-claims/ClaimLooks.ts"
import type { Observation } from "#daemons/dns-verifier/verification/observe/Observation.ts"
import { Observer } from "#daemons/dns-verifier/verification/observe/Observer.ts"
import { inFrame, until } from "#support/Frame.ts"
import { asked, seen, type Word } from "../verification/decide/Seen.ts"

/** The same token for all claims of the test. */
const token = "0123456789abcdef"

const observerOf = (observe: (name: string) => Effect.Effect<Observation>) =>
  Effect.provideService(Observer, Observer.of({ observe, glance: () => Promise.reject(), whenRoom: () => {} }))

const says = (word: Word) => Effect.succeed(seen([asked("TXT", challengeName, [word])]))

const add = Effect.fnUntraced(function* (...names: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  for (const name of names)
    yield* sql`insert into core.name_claim (kind, tenant_id, name, token, state)
      values ('dns', 7, ${name}, ${token}, 'pending')`
})

/** Names that are due. */
const due = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string }>`select name from core.name_claim
    where state = 'pending' and next_look_at <= now() order by name`
  return rows.map(({ name }) => name)
})

it.live(
  "a failed look does not end the others and is repeated soon",
  () =>
    inFrame(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`create function public.refuse() returns trigger language plpgsql as
          'begin raise exception ''refused''; end'`
        yield* sql`create trigger refuse before update on core.name_claim for each row
          when (new.state = 'proven' and new.name = 'a.test') execute function public.refuse()`
        const names = ["a.test", "b.test", "c.test", "d.test", "e.test", "f.test", "g.test"]
        yield* add(...names)
        const shown = (name: string) => says([challengeOf(name, token).content])
        const observe = (name: string) =>
          name === "a.test" ? shown(name) : Effect.delay(name === "b.test" ? shown(name) : says("nodata"), "300 millis")
        expect(yield* observerOf(observe)(round)).toBe("looked at 7 claims, 1 proven, 1 failed")
        expect(yield* due).toEqual(["a.test"])
      })
    ),
  120_000
)

it.live(
  "an interrupted round makes the claims due again that it did not look at",
  () =>
    inFrame(
      Effect.gen(function* () {
        yield* add("a.test", "b.test", "c.test")
        const looked: Array<string> = []
        const observe = (name: string) =>
          Effect.suspend(() => {
            looked.push(name)
            return name === "a.test" ? says("nodata") : Effect.never
          })
        const running = yield* Effect.forkChild(observerOf(observe)(round))
        yield* until(
          "all looks have begun",
          Effect.sync(() => looked.length === 3)
        )
        expect(yield* due).toEqual([])
        yield* Fiber.interrupt(running)
        expect(yield* due).toEqual(["b.test", "c.test"])
      })
    ),
  120_000
)
