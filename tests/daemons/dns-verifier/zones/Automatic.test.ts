/** Plans that nobody asked for: when they are made, and when they apply themselves. */
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, References } from "effect"
import { until } from "#support/Frame.ts"
import { ipv4, zonesAtWork } from "./ZoneTrial.ts"
import { mailWish } from "./Zones.ts"

class Place extends Context.Service<Place, Effect.Success<ReturnType<typeof zonesAtWork>>>()("test/Place") {
  static readonly layer = Layer.effect(Place, Effect.provideService(zonesAtWork(), References.MinimumLogLevel, "Fatal"))
}

const quiet = Effect.fnUntraced(function* () {
  const place = yield* Place
  yield* until(
    "the queues to be empty",
    Effect.map(place.jobsLeft(), (count) => count === 0),
    30
  )
})

describe("automatic plans", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "are applied if they change no foreign record, and are not stored without changes",
      Effect.fnUntraced(function* () {
        const place = yield* Place
        place.provider.put(
          "one.example",
          "TXT",
          "@",
          "v=spf1 include:_spf.elsewhere.example ~all",
          "site-verification=1"
        )
        const id = yield* place.domain("one.example")
        yield* place.ask(id)
        expect(yield* place.newest(id, "applied")).toMatchObject({
          actor: "system",
          applied_by: "system",
          reason: "It came under management"
        })
        yield* place.ask(id)
        yield* quiet()
        expect(yield* place.list(id)).toHaveLength(1)

        yield* place.mail({ domain_id: 11, domain: "one.example" })
        yield* until(
          "mail's plan",
          Effect.map(place.list(id), (plans) => plans.length === 2 && plans[0]!.state === "applied"),
          30
        )
        expect((yield* place.list(id))[0]).toMatchObject({
          reason: "The required mail records of one.example changed",
          steps_total: 5,
          steps_done: 5
        })
        expect(
          place.provider
            .sets("one.example")
            .find(({ name, type }) => type === "TXT" && name === "@")!
            .contents.toSorted()
        ).toEqual(["site-verification=1", "v=spf1 ip4:192.0.2.1 include:_spf.elsewhere.example ~all"])

        // The same again and an older one change nothing; when it is gone, its records are.
        yield* place.mail({ domain_id: 11, domain: "one.example", version: 5 })
        yield* place.mail({ domain_id: 11, domain: "one.example", version: 3, state: "deleted", records: [] })
        yield* until(
          "both to be read",
          Effect.map(
            place.sql<{ version: number }>`select version from dns_verifier.mail_domain where mail_domain_id = 11`,
            ([row]) => row!.version === 5
          )
        )
        yield* place.mail({ domain_id: 11, domain: "one.example", version: 7, state: "deleted", records: [] })
        yield* until(
          "mail to be taken away",
          Effect.map(place.list(id), (plans) => plans.length === 3 && plans[0]!.state === "applied"),
          30
        )
        expect(
          place.provider
            .sets("one.example")
            .map(({ contents, name, type }) => `${type} ${name} ${contents.toSorted().join(" | ")}`)
            .toSorted()
        ).toEqual([
          `A @ ${ipv4}`,
          `A www ${ipv4}`,
          "TXT @ site-verification=1 | v=spf1 include:_spf.elsewhere.example ~all"
        ])
        // And an older event does not bring it back.
        yield* place.mail({ domain_id: 11, domain: "one.example", version: 6 })
        yield* place.mail({ domain_id: 12, domain: "nobody.example" })
        yield* until(
          "the events to be read",
          Effect.map(
            place.sql`select 1 from dns_verifier.mail_domain where mail_domain_id = 12`,
            (rows) => rows.length === 1
          )
        )
        yield* quiet()
        expect(yield* place.list(id)).toHaveLength(3)
        expect(yield* place.sql`select state, version from dns_verifier.mail_domain where mail_domain_id = 11`).toEqual(
          [{ state: "deleted", version: 7 }]
        )
      }),
      120_000
    )

    it.effect(
      "wait for approval if they change foreign records, and notify the admins once",
      Effect.fnUntraced(function* () {
        const place = yield* Place
        place.provider.put("two.example", "MX", "@", "10 mx.elsewhere.example")
        place.provider.put("two.example", "A", "@", ipv4)
        place.provider.put("two.example", "A", "www", ipv4)
        const id = yield* place.domain("two.example")
        yield* place.mail({ domain_id: 21, domain: "two.example" })
        const waiting = yield* place.newest(id, "planned")
        expect(waiting.warnings.map(({ code }) => code)).toEqual(["foreign_mx"])
        yield* place.ask(id)
        yield* quiet()
        expect(yield* place.list(id)).toHaveLength(1)
        expect(place.provider.sets("two.example")).toHaveLength(3)
        const notices = (yield* place.notices()).filter(({ data }) => data.content.entity_id === String(id))
        expect(notices.map(({ data }) => [data.to, data.content.type, data.content.title])).toEqual([
          [{ tenant_admins: 7 }, "dns.plan.waiting", "Changes to the DNS of two.example wait for your approval"]
        ])
        yield* place.apply(id, waiting.id)
        expect((yield* place.ended(id, waiting.id)).state).toBe("applied")
        expect(place.provider.sets("two.example").find(({ type }) => type === "MX")!.contents).toEqual([
          "10 mail.platform.example"
        ])
      })
    )

    it.effect(
      "that change a large part of a zone wait as well",
      Effect.fnUntraced(function* () {
        const place = yield* Place
        for (let at = 0; at < 10; at++) place.provider.put("three.example", "A", `h${at}`, "203.0.113.1")
        const id = yield* place.domain("three.example")
        yield* place.mail({ domain_id: 31, domain: "three.example" })
        expect(yield* place.newest(id, "stopped")).toMatchObject({ share: 0.7 })
        yield* quiet()
        expect(place.provider.sets("three.example")).toHaveLength(10)
      })
    )

    it.effect(
      "are made again after an outage, and reported when that lasts",
      Effect.fnUntraced(function* () {
        const place = yield* Place
        const id = yield* place.domain("four.example")
        place.provider.readMishaps.push({ reason: "rate_limited", retryAfter: 50 }, { reason: "unavailable" })
        yield* place.ask(id)
        yield* place.newest(id, "applied")
        expect(place.provider.readMishaps).toEqual([])

        const cut = yield* place.domain("five.example")
        place.provider.readMishaps.push({ reason: "unauthorized" })
        yield* place.ask(cut)
        yield* until(
          "it to be told",
          Effect.map(place.told(), (told) =>
            told.some(({ data, type }) => type === "dns.plan.failed" && data.domain_id === cut)
          ),
          30
        )
        expect((yield* place.told()).find(({ data }) => data.domain_id === cut)!.data).toMatchObject({
          plan_id: null,
          steps_total: 0,
          problem: "The zone cannot be read: told to: unauthorized"
        })
        expect(yield* place.list(cut)).toEqual([])
        expect((yield* place.notices()).filter(({ data }) => data.content.entity_id === String(cut))).toHaveLength(1)
      }),
      120_000
    )

    it.effect(
      "are not made for manual domains, and a mail subdomain belongs to the nearest domain",
      Effect.fnUntraced(function* () {
        const place = yield* Place
        yield* place.ask(yield* place.domain("by-hand.example", 7, false))
        const parent = yield* place.domain("example.org")
        const child = yield* place.domain("deep.example.org")
        yield* place.mail({
          domain_id: 41,
          domain: "very.deep.example.org",
          records: mailWish("very.deep.example.org").records.slice(0, 1)
        })
        const plan = yield* place.newest(child, "applied")
        expect(plan.steps.map(({ name, type }) => `${type} ${name}`)).toEqual(["A @", "A www", "MX very"])
        yield* quiet()
        expect(yield* place.list(parent)).toEqual([])
      })
    )
  })
})
