/** Which plans are made, kept, refused and dropped, and whose they are. */
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

const places = (steps: ReadonlyArray<{ readonly type: string; readonly name: string }>) =>
  steps.map(({ name, type }) => `${type} ${name}`)

describe("plans", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "are stored once while unchanged, and make older plans stale",
      Effect.fnUntraced(function* () {
        const place = yield* Place
        const id = yield* place.domain("one.example")
        const first = yield* place.plan(id)
        expect((yield* place.plan(id)).id).toBe(first.id)
        yield* place.record(id, "TXT", "@", "mine")
        const second = yield* place.plan(id)
        expect(places(second.steps)).toEqual(["A @", "A www", "TXT @"])
        // What others change at these places is another plan; elsewhere it is the same.
        place.provider.put("one.example", "A", "elsewhere", "203.0.113.1")
        expect((yield* place.plan(id)).id).toBe(second.id)
        place.provider.put("one.example", "TXT", "@", "theirs")
        const third = yield* place.plan(id)
        expect(third.steps[2]).toMatchObject({ before: ["theirs"], after: ["theirs", "mine"], owns: ["mine"] })
        expect(
          (yield* place.list(id)).map(({ id, problem, state, steps_total }) => [id, state, problem, steps_total])
        ).toEqual([
          [third.id, "planned", null, 3],
          [second.id, "stale", "A newer plan was made.", 3],
          [first.id, "stale", "A newer plan was made.", 2]
        ])
        expect(yield* Effect.flip(place.apply(id, first.id))).toMatchObject({ _tag: "PlanClosed", state: "stale" })
        expect((yield* place.discard(id, third.id)).state).toBe("discarded")
        expect(yield* Effect.flip(place.discard(id, third.id))).toMatchObject({
          _tag: "PlanClosed",
          state: "discarded"
        })
        expect(place.provider.writes).toEqual([])
      })
    )

    it.effect(
      "that change a large part of a zone need force",
      Effect.fnUntraced(function* () {
        const place = yield* Place
        for (let at = 0; at < 10; at++) place.provider.put("two.example", "A", `h${at}`, "203.0.113.1")
        const id = yield* place.domain("two.example")
        yield* place.record(id, "A", "x", "203.0.113.2")
        yield* place.record(id, "A", "y", "203.0.113.2")
        const plan = yield* place.plan(id)
        expect(plan).toMatchObject({ state: "stopped", share: 0.4, zone_sets: 10 })
        expect(yield* Effect.flip(place.apply(id, plan.id))).toMatchObject({ _tag: "PlanStopped", share: 0.4 })
        yield* place.apply(id, plan.id, true)
        expect(yield* place.ended(id, plan.id)).toMatchObject({ state: "applied" })
      })
    )

    it.effect(
      "delete user records permanently, and no other records",
      Effect.fnUntraced(function* () {
        const place = yield* Place
        const id = yield* place.domain("three.example")
        const kept = yield* place.record(id, "A", "shop", "203.0.113.1")
        const gone = yield* place.record(id, "A", "shop", "203.0.113.2")
        const [platform] = yield* place.sql<{
          id: number
        }>`insert into dns_verifier.record (tenant_id, domain_id, source, type, name, content, ttl)
        values (7, ${id}, 'platform', 'A', '@', ${ipv4}, 3600) returning id`
        const first = yield* place.plan(id)
        yield* place.apply(id, first.id)
        yield* place.ended(id, first.id)
        const plan = yield* place.plan(id, [gone, platform!.id])
        expect(plan.removes).toEqual([gone])
        expect(plan.steps).toMatchObject([
          { type: "A", name: "shop", before: ["203.0.113.1", "203.0.113.2"], after: ["203.0.113.1"] }
        ])
        // Not before it is applied.
        const records = place.sql<{
          id: number
        }>`select id from dns_verifier.record where domain_id = ${id} order by id`
        expect((yield* records).map((row) => row.id)).toEqual([kept, gone, platform!.id])
        yield* place.apply(id, plan.id)
        yield* place.ended(id, plan.id)
        expect((yield* records).map((row) => row.id)).toEqual([kept, platform!.id])
        expect((yield* place.plan(id)).steps).toEqual([])
        // What does not stand in the zone is given up all the same.
        const nowhere = yield* place.plan(id, [kept])
        place.provider.put("three.example", "A", "shop")
        const again = yield* place.plan(id, [kept])
        expect([nowhere.steps.length, again.steps.length]).toEqual([1, 0])
        yield* place.apply(id, again.id)
        yield* place.ended(id, again.id)
        expect((yield* records).map((row) => row.id)).toEqual([platform!.id])
      })
    )

    it.effect(
      "are refused while another plan is applied",
      Effect.fnUntraced(function* () {
        const place = yield* Place
        const id = yield* place.domain("four.example")
        const plan = yield* place.plan(id)
        let goOn = false
        place.provider.onWrite = () =>
          until(
            "leave",
            Effect.sync(() => goOn)
          )
        yield* place.apply(id, plan.id)
        expect(yield* Effect.flip(place.plan(id))).toMatchObject({ _tag: "PlanUnderWay" })
        expect(yield* Effect.flip(place.apply(id, plan.id))).toMatchObject({ _tag: "PlanClosed", state: "applying" })
        expect(yield* Effect.flip(place.discard(id, plan.id))).toMatchObject({ _tag: "PlanClosed" })
        goOn = true
        yield* place.ended(id, plan.id)
        place.provider.onWrite = () => Effect.void
        expect((yield* place.plan(id)).steps).toEqual([])
      })
    )

    it.effect(
      "are visible to their tenant only",
      Effect.fnUntraced(function* () {
        const place = yield* Place
        const id = yield* place.domain("five.example")
        const plan = yield* place.plan(id)
        expect(yield* Effect.flip(place.plan(id, [], 8))).toMatchObject({ _tag: "NotFound" })
        expect(yield* Effect.flip(place.apply(id, plan.id, true, 8))).toMatchObject({ _tag: "NotFound" })
        expect(yield* place.list(id, 8)).toEqual([])
        const other = yield* place.domain("other.example", 8)
        expect(yield* Effect.flip(place.get(other, plan.id))).toMatchObject({ _tag: "NotFound" })
        // Nor does a mail domain of one tenant touch the domain of another.
        yield* place.mail({ domain_id: 50, tenant_id: 8, domain: "mail.five.example" })
        yield* until(
          "the mail domain to be kept",
          Effect.map(
            place.sql`select 1 from dns_verifier.mail_domain where mail_domain_id = 50`,
            (rows) => rows.length === 1
          )
        )
        expect((yield* place.plan(id)).id).toBe(plan.id)
        expect(yield* Effect.flip(place.plan(yield* place.domain("by-hand.example", 7, false)))).toMatchObject({
          _tag: "NotManaged"
        })
        expect(yield* Effect.flip(place.plan(yield* place.domain("elsewhere.example")))).toMatchObject({
          _tag: "ProviderError",
          reason: "zone_not_found"
        })
      })
    )

    it.effect(
      "of a domain within another zone use its own names, and adopt existing records",
      Effect.fnUntraced(function* () {
        const place = yield* Place
        place.provider.put("example.org", "A", "@", "203.0.113.1")
        const parent = yield* place.domain("example.org")
        yield* place.record(parent, "TXT", "sub", "of the parent")
        yield* place.mail({ domain_id: 60, domain: "sub.example.org" })
        yield* until(
          "the mail domain to be kept",
          Effect.map(
            place.sql`select 1 from dns_verifier.mail_domain where mail_domain_id = 60`,
            (rows) => rows.length === 1
          )
        )
        const first = yield* place.plan(parent)
        expect(first.warnings.map(({ code }) => code)).toEqual(["foreign_replaced"])
        yield* place.apply(parent, first.id)
        yield* place.ended(parent, first.id)
        expect((yield* place.owned(parent)).map(({ name }) => name)).toContain("mail._domainkey.sub")

        const child = yield* place.domain("sub.example.org")
        const below = yield* place.plan(child)
        // Its two addresses come; mail is there, and its own from now on.
        expect(below.zone_sets).toBe(7)
        expect(below.steps.map(({ after, name, type }) => `${type} ${name} ${after}`)).toEqual([
          `A @ ${ipv4}`,
          `A www ${ipv4}`
        ])
        yield* place.apply(child, below.id)
        yield* place.ended(child, below.id)
        expect(place.provider.sets("example.org").map(({ name }) => name)).toContain("www.sub")
        expect((yield* place.owned(child)).map(({ name, type }) => `${type} ${name}`)).toContain("MX @")
        const after = yield* place.plan(parent)
        // What each wants at a name that both have a say in stays with whoever wants it.
        expect(after.steps).toEqual([])
        expect((yield* place.owned(parent)).find(({ name }) => name === "sub")!.contents).toEqual(["of the parent"])
        expect((yield* place.plan(child)).steps).toEqual([])
      })
    )
  })
})
