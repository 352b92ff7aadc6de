/** Plans that apply themselves compare the zone before they write, and are made again when someone changed it. */
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, References } from "effect"
import { until } from "#support/Frame.ts"
import { ipv4, zonesAtWork } from "./ZoneTrial.ts"

class Place extends Context.Service<Place, Effect.Success<ReturnType<typeof zonesAtWork>>>()("test/Place") {
  // The test decides when a plan is due.
  static readonly layer = Layer.effect(
    Place,
    Effect.provideService(zonesAtWork({ settle: 60_000 }), References.MinimumLogLevel, "Fatal")
  )
}

const planned = Effect.fnUntraced(function* (name: string) {
  const place = yield* Place
  place.provider.writes.length = 0
  place.provider.onWrite = () => Effect.void
  const id = yield* place.domain(name)
  yield* place.ask(id)
  const plan = yield* place.newest(id, "planned")
  expect([plan.apply_after === null, plan.steps.map(({ name, type }) => `${type} ${name}`)]).toEqual([
    false,
    ["A @", "A www"]
  ])
  /** The newest plan, once it is another one than `before`. */
  const next = (before: string) =>
    until(
      "another plan",
      Effect.map(place.list(id), ([first]) => first!.id !== before)
    ).pipe(Effect.andThen(place.newest(id, "planned", "stopped", "applied")))
  return { place, id, plan, next }
})

describe("plans that apply themselves", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "are made again when a third party took a name, and then overwrite nothing",
      Effect.fnUntraced(function* () {
        const { id, next, place, plan } = yield* planned("one.example")
        place.provider.put("one.example", "A", "www", "203.0.113.2")
        yield* place.fallDue(plan)
        const second = yield* next(plan.id)
        expect([second.state, second.apply_after, second.warnings.map(({ code }) => code)]).toEqual([
          "planned",
          null,
          ["foreign_replaced"]
        ])
        expect(yield* place.get(id, plan.id)).toMatchObject({ state: "stale", applied_by: "system" })
        expect(place.provider.writes).toEqual([])
        expect(place.provider.sets("one.example").map(({ contents }) => contents)).toEqual([["203.0.113.2"]])
        // The admins are asked once, about the plan that waits for them.
        const notices = (yield* place.notices()).filter(({ data }) => data.content.entity_id === String(id))
        expect(notices.map(({ data }) => data.content.type)).toEqual(["dns.plan.waiting"])
      }),
      120_000
    )

    it.effect(
      "are made again when the zone changes between two writes",
      Effect.fnUntraced(function* () {
        const { id, next, place, plan } = yield* planned("two.example")
        place.provider.onWrite = (at) =>
          Effect.sync(() => void (at === "A www" && place.provider.put("two.example", "A", "www", "203.0.113.3")))
        yield* place.fallDue(plan)
        const second = yield* next(plan.id)
        expect(second.steps.map(({ name, type }) => `${type} ${name}`)).toEqual(["A www"])
        expect([second.apply_after, second.warnings.map(({ code }) => code)]).toEqual([null, ["foreign_replaced"]])
        expect((yield* place.get(id, plan.id)).steps.map(({ state }) => state)).toEqual(["done", "failed"])
        expect(place.provider.sets("two.example").map(({ contents }) => contents)).toEqual([[ipv4], ["203.0.113.3"]])
      }),
      120_000
    )

    it.effect(
      "are written once, however often their job runs",
      Effect.fnUntraced(function* () {
        const { id, place, plan } = yield* planned("three.example")
        for (let times = 0; times < 3; times++) yield* place.fallDue(plan)
        yield* place.newest(id, "applied")
        yield* place.fallDue(plan)
        yield* until(
          "the jobs to end",
          Effect.map(
            place.sql`select 1 from pgboss.job where name = 'dns-verifier.apply' and state <> 'completed'
              and (data->>'plan_id') = ${plan.id} and start_after < now() + interval '30 seconds'`,
            ({ length }) => length === 0
          )
        )
        expect(place.provider.writes).toEqual(["A @", "A www"])
        expect(yield* place.list(id)).toHaveLength(1)
      }),
      120_000
    )

    it.effect(
      "read the zone once for changes in a row, and are replaced in place",
      Effect.fnUntraced(function* () {
        const { id, place, plan } = yield* planned("four.example")
        const readings = place.provider.readings()
        yield* place.record(id, "TXT", "note", "x")
        yield* place.ask(id)
        yield* until(
          "the new step",
          Effect.map(place.get(id, plan.id), ({ steps }) => steps.length === 3)
        )
        expect(place.provider.readings()).toBe(readings)
        expect(yield* place.list(id)).toHaveLength(1)
        // The job of the first change has an outdated time, or the plan was still due then.
        const now = yield* place.get(id, plan.id)
        expect(now.apply_after!.getTime()).toBeGreaterThanOrEqual(plan.apply_after!.getTime())
        yield* place.fallDue(now)
        yield* place.newest(id, "applied")
        expect(place.provider.writes.toSorted()).toEqual(["A @", "A www", "TXT note"])
      }),
      120_000
    )

    it.effect(
      "stay scheduled beside a plan that a user requested",
      Effect.fnUntraced(function* () {
        const { id, place, plan } = yield* planned("five.example")
        const note = yield* place.record(id, "TXT", "note", "x")
        const requested = yield* place.plan(id, [note])
        expect(requested.id === plan.id || (yield* place.get(id, plan.id)).state === "planned").toBe(true)
        yield* place.fallDue(plan)
        yield* until(
          "the scheduled plan to be applied",
          Effect.map(place.get(id, plan.id), ({ state }) => state === "applied")
        )
      }),
      120_000
    )
  })
})
