/** Plans are applied step by step, over what a provider may do wrong, and each end is told. */
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, References } from "effect"
import { until } from "#support/Frame.ts"
import { ipv4, zonesAtWork } from "./ZoneTrial.ts"

class Place extends Context.Service<Place, Effect.Success<ReturnType<typeof zonesAtWork>>>()("test/Place") {
  static readonly layer = Layer.effect(
    Place,
    Effect.provideService(zonesAtWork({ autoApply: false }), References.MinimumLogLevel, "Fatal")
  )
}

const foreign = [
  ["TXT", "@", "site-verification=1"],
  ["MX", "@", "10 mx.elsewhere.example"],
  ["CAA", "@", '0 issue "ca.example"'],
  ["A", "shop", "203.0.113.7"]
] as const

/** A domain whose zone has sets of others, and a plan for it. */
const planned = Effect.fnUntraced(function* (name: string) {
  const place = yield* Place
  place.provider.mishaps.length = 0
  place.provider.readMishaps.length = 0
  place.provider.writes.length = 0
  place.provider.onWrite = () => Effect.void
  for (const [type, at, content] of foreign) place.provider.put(name, type, at, content)
  const id = yield* place.domain(name)
  const plan = yield* place.plan(id)
  return {
    place,
    id,
    plan,
    shown: () =>
      place.provider
        .sets(name)
        .map((set) => `${set.type} ${set.name} ${set.contents.join(", ")}`)
        .toSorted()
  }
})

const ours = [`A @ ${ipv4}`, `A www ${ipv4}`]
const theirs = foreign.map((parts) => parts.join(" "))
const all = [...theirs, ...ours].toSorted()

describe("applying a plan", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "writes each step, records ownership, and emits events",
      Effect.fnUntraced(function* () {
        const { id, place, plan, shown } = yield* planned("one.example")
        expect(shown()).toEqual(theirs.toSorted())
        expect(plan).toMatchObject({
          state: "planned",
          zone_sets: 4,
          share: 0.5,
          actor: "user:1",
          reason: "On request",
          warnings: []
        })
        const begun = yield* place.apply(id, plan.id)
        expect(begun.state).toBe("applying")
        const done = yield* place.ended(id, plan.id)
        expect(done).toMatchObject({ state: "applied", problem: null, applied_by: "user:2" })
        expect(done.steps.map(({ attempts, state }) => [state, attempts])).toEqual([
          ["done", 1],
          ["done", 1]
        ])
        expect(done.ended_at).not.toBeNull()
        expect(shown()).toEqual(all)
        expect(yield* place.owned(id)).toEqual([
          { type: "A", name: "@", contents: [ipv4] },
          { type: "A", name: "www", contents: [ipv4] }
        ])
        const [reading] = yield* place.sql<{
          sets: ReadonlyArray<unknown>
        }>`select sets from dns_verifier.zone_reading where domain_id = ${id}`
        expect(reading!.sets).toHaveLength(6)
        expect((yield* place.told()).filter(({ data }) => data.domain_id === id)).toMatchObject([
          {
            type: "dns.plan.applied",
            data: { plan_id: plan.id, domain: "one.example", steps_total: 2, steps_done: 2, problem: null }
          }
        ])
        const audit = yield* place.sql<{
          action: string
          actor: string
        }>`select action, actor from core.audit where entity_id = ${plan.id} order by id`
        expect(audit.map(({ action, actor }) => `${action} ${actor}`)).toEqual([
          "dns_plan.created user:1",
          "dns_plan.begun user:2",
          "dns_plan.step_done user:2",
          "dns_plan.step_done user:2",
          "dns_plan.applied user:2"
        ])
        // And then there is nothing to do.
        expect((yield* place.plan(id)).steps).toEqual([])
      })
    )

    it.effect(
      "retries after refusals, and repeats no completed step",
      Effect.fnUntraced(function* () {
        const { id, place, plan, shown } = yield* planned("two.example")
        place.provider.mishaps.push(
          { reason: "rate_limited", retryAfter: 100 },
          { reason: "unavailable", made: true },
          { reason: "action_failed" },
          { reason: "conflict" }
        )
        place.provider.readMishaps.push({ reason: "unavailable" })
        yield* place.apply(id, plan.id)
        const done = yield* place.ended(id, plan.id)
        expect(done).toMatchObject({ state: "applied", problem: null })
        // Rate limited is no attempt; what was made in spite of its failure is found, not written again.
        expect(place.provider.writes).toEqual(["A @", "A @", "A www", "A www", "A www"])
        expect(done.steps.map(({ attempts, problem }) => [attempts, problem])).toEqual([
          [1, null],
          [3, null]
        ])
        expect(shown()).toEqual(all)
      })
    )

    it.effect(
      "waits at least as long as a provider asks for",
      Effect.fnUntraced(function* () {
        const { id, place, plan } = yield* planned("five.example")
        place.provider.mishaps.push({ reason: "rate_limited", retryAfter: 4_000 })
        const began = Date.now()
        yield* place.apply(id, plan.id)
        let noted = yield* place.get(id, plan.id)
        yield* until(
          "the refusal to be noted",
          Effect.map(place.get(id, plan.id), (now) => {
            noted = now
            return now.problem === "told to: rate_limited"
          })
        )
        expect(noted.steps[0]).toMatchObject({ state: "attempting", attempts: 0 })
        yield* place.ended(id, plan.id)
        expect(Date.now() - began).toBeGreaterThanOrEqual(4_000)
      }),
      120_000
    )

    it.effect(
      "fails with its completed steps, and notifies the admins",
      Effect.fnUntraced(function* () {
        const { id, place, plan, shown } = yield* planned("three.example")
        place.provider.onWrite = (at) =>
          Effect.sync(() => void (at === "A www" && place.provider.mishaps.push({ reason: "action_failed" })))
        yield* place.apply(id, plan.id)
        const done = yield* place.ended(id, plan.id)
        expect(done).toMatchObject({ state: "failed", problem: "told to: action_failed" })
        expect(done.steps.map(({ attempts, problem, state }) => [state, attempts, problem])).toEqual([
          ["done", 1, null],
          ["failed", 4, "told to: action_failed"]
        ])
        expect(shown()).toEqual([...theirs, ours[0]].toSorted())
        expect((yield* place.owned(id)).map(({ name }) => name)).toEqual(["@"])
        const told = (yield* place.told()).filter(({ data }) => data.domain_id === id)
        expect(told).toMatchObject([
          {
            type: "dns.plan.failed",
            data: { plan_id: plan.id, steps_total: 2, steps_done: 1, problem: "told to: action_failed" }
          }
        ])
        const notice = (yield* place.notices()).find(({ data }) => data.key === `dns.plan.failed:${plan.id}`)
        expect(notice!.data).toMatchObject({
          to: { tenant_admins: 7 },
          content: {
            severity: "error",
            title: "The DNS of three.example could not be changed",
            body: "told to: action_failed 1 of 2 record sets are written."
          }
        })
        // What is left is the next plan's.
        place.provider.onWrite = () => Effect.void
        const next = yield* place.plan(id)
        expect(next.steps.map(({ name, type }) => `${type} ${name}`)).toEqual(["A www"])
      })
    )

    it.effect(
      "stops at a permanent error, and leaves the remaining steps untouched",
      Effect.fnUntraced(function* () {
        const { id, place, plan, shown } = yield* planned("four.example")
        place.provider.mishaps.push({ reason: "invalid" })
        yield* place.apply(id, plan.id)
        const done = yield* place.ended(id, plan.id)
        expect(done.steps.map(({ attempts, state }) => [state, attempts])).toEqual([
          ["failed", 1],
          ["skipped", 0]
        ])
        expect(place.provider.writes).toEqual(["A @"])
        expect(shown()).toEqual(theirs.toSorted())

        // A zone that cannot be read any more, when it is not known whether something was written: that is said.
        const second = yield* place.plan(id)
        place.provider.mishaps.push({ reason: "unavailable", made: true })
        place.provider.readMishaps.push({ reason: "conflict" })
        place.provider.onWrite = () =>
          Effect.sync(() => void place.provider.readMishaps.push({ reason: "unauthorized" }))
        yield* place.apply(id, second.id)
        const lost = yield* place.ended(id, second.id)
        expect(lost).toMatchObject({ state: "failed", problem: "The zone cannot be read: told to: unauthorized" })
        expect(lost.steps.map(({ state }) => state)).toEqual(["uncertain", "skipped"])
        // It is there, and ours when it is taken away again.
        expect(shown()).toContain(ours[0])
        expect((yield* place.owned(id)).map(({ name }) => name)).toEqual(["@"])
      })
    )

    it.effect(
      "writes nothing into a changed zone, and never overwrites foreign changes",
      Effect.fnUntraced(function* () {
        const { id, place, plan, shown } = yield* planned("example.org")
        // Elsewhere is elsewhere.
        place.provider.put("example.org", "A", "unrelated", "203.0.113.1")
        place.provider.put("example.org", "A", "www", "203.0.113.2")
        yield* place.apply(id, plan.id)
        const stale = yield* place.ended(id, plan.id)
        expect(stale.state).toBe("stale")
        expect(stale.problem).toContain("has changed since the plan was made")
        expect(place.provider.writes).toEqual([])
        expect((yield* place.told()).filter(({ data }) => data.domain_id === id)).toMatchObject([
          { type: "dns.plan.failed", data: { steps_done: 0 } }
        ])

        place.provider.put("example.org", "A", "www")
        const second = yield* place.plan(id)
        // Between our reading and our writing, and again before the repetition.
        place.provider.onWrite = (at) =>
          Effect.sync(() => void (at === "A www" && place.provider.put("example.org", "A", "www", "203.0.113.3")))
        yield* place.apply(id, second.id)
        const failed = yield* place.ended(id, second.id)
        expect(failed).toMatchObject({
          state: "failed",
          problem: "A at www has changed since the plan was made. Make a new plan."
        })
        expect(failed.steps.map(({ state }) => state)).toEqual(["done", "failed"])
        expect(shown()).toEqual([...theirs, ours[0], "A unrelated 203.0.113.1", "A www 203.0.113.3"].toSorted())
      })
    )

    it.effect(
      "belongs to one worker at a time; a superseded worker stores nothing",
      Effect.fnUntraced(function* () {
        const { id, place, plan } = yield* planned("six.example")
        let asked = 0
        let goOn = false
        // The first stands still in its first step; it comes to itself when its successor is in the second, which waits
        // until it is through.
        place.provider.onWrite = () =>
          Effect.suspend(() => {
            asked++
            if (asked === 1)
              return Effect.andThen(
                Effect.orDie(place.applyAgain(plan.id)),
                until(
                  "the successor to be on its way",
                  Effect.sync(() => goOn),
                  30
                )
              )
            if (asked !== 3) return Effect.void
            goOn = true
            return until(
              "the first to be through",
              Effect.map(Effect.orDie(place.jobsLeft()), (count) => count === 1 || asked > 3),
              30
            )
          })
        yield* place.apply(id, plan.id)
        expect(yield* place.ended(id, plan.id)).toMatchObject({ state: "applied" })
        yield* until(
          "both to be through",
          Effect.map(place.jobsLeft(), (count) => count === 0)
        )
        const audit = yield* place.sql<{
          action: string
        }>`select action from core.audit where entity_id = ${plan.id} order by id`
        expect(audit.map(({ action }) => action)).toEqual([
          "dns_plan.created",
          "dns_plan.begun",
          "dns_plan.step_done",
          "dns_plan.step_done",
          "dns_plan.applied"
        ])
        expect((yield* place.get(id, plan.id)).steps.map(({ attempts, state }) => [state, attempts])).toEqual([
          ["done", 2],
          ["done", 1]
        ])
        expect((yield* place.told()).filter(({ data }) => data.domain_id === id)).toHaveLength(1)
      })
    )

    it.effect(
      "leaves no job behind",
      Effect.fnUntraced(function* () {
        const place = yield* Place
        yield* until(
          "the queues to be empty",
          Effect.map(place.jobsLeft(), (count) => count === 0)
        )
      })
    )
  })
})
