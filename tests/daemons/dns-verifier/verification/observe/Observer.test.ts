import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { observerLimits } from "#daemons/dns-verifier/verification/observe/Limits.ts"
import type { Observation, Question } from "#daemons/dns-verifier/verification/observe/Observation.ts"
import * as Observer from "#daemons/dns-verifier/verification/observe/Observer.ts"
import type * as Hostile from "../../../../support/dns/HostileServer.ts"
import * as Inhabited from "../../../../support/dns/Inhabited.ts"
import { longText } from "../../../../support/dns/Inhabited.ts"
import * as World from "../../../../support/dns/World.ts"
import { describePeers } from "../../../../support/peers/DescribePeers.ts"

const limits = { ...observerLimits, tries: [400, 800, 2000] }

class Place extends Context.Service<
  Place,
  {
    readonly world: World.World
    readonly hostile: Hostile.HostileServer
    /** At an address that is not allowed. */
    readonly inner: Hostile.HostileServer
    readonly observer: Observer.Observer["Service"]
  }
>()("test/Place") {}

const place = Layer.effect(
  Place,
  Effect.gen(function* () {
    const { hostile, inner, world } = yield* Inhabited.make
    const observer = yield* Observer.Observer.pipe(
      Effect.provide(yield* Layer.build(Observer.layer(world.config, limits)))
    )
    return { world, hostile, inner, observer }
  })
)

const at = (name: string, type = "A"): Question => ({ name, type })
const apex = [at("@"), at("@", "AAAA")]

/** What matters of a look: no times, and no TTLs, which a resolver counts down. */
const meaning = (seen: Observation) => ({
  delegation: seen.delegation.outcome,
  zone: seen.delegation.zone,
  servers: seen.delegation.servers,
  dnssec: seen.dnssec,
  asked: seen.asked.map(({ authorities, name, resolvers, type }) => ({
    question: `${name} ${type}`,
    published: authorities
      .map(
        ({ said, server }) =>
          `${server.name} ${[said.outcome, ...said.values, ...said.chain.map((hop) => `>${hop}`)].join(" ")}`
      )
      .sort(),
    visible: resolvers.map(({ said }) =>
      [said.outcome, ...said.values, ...said.chain.map((hop) => `>${hop}`)].join(" ")
    )
  }))
})

describePeers(["knot", "unbound"], "what is observed", () => {
  layer(place, { excludeTestServices: true, timeout: 120_000 })((it) => {
    const observe = (domain: string, questions: ReadonlyArray<Question> = apex, depth: Observer.Depth = "quick") =>
      Effect.flatMap(Place, ({ observer }) => Effect.map(observer.observe(domain, questions, depth), meaning))
    const both = (domain: string, said: string) => [`ns1.${domain} ${said}`, `ns2.${domain} ${said}`]

    it.effect("a healthy domain: published and visible answers of every type, through CNAMEs", () =>
      Effect.gen(function* () {
        const { world } = yield* Place
        const seen = yield* observe("good.test", [
          ...apex,
          at("www"),
          at("mail", "MX"),
          at("big", "TXT"),
          at("mail._domainkey", "TXT"),
          at("nothing"),
          at("child"),
          at("away"),
          at("gone")
        ])
        const good = (question: string, said: string) => ({
          question,
          published: both("good.test", said),
          visible: [said]
        })
        assert.deepStrictEqual(seen, {
          delegation: "delegated",
          zone: "good.test",
          servers: [
            { name: "ns1.good.test", address: world.network.address(11) },
            { name: "ns2.good.test", address: world.network.address(12) }
          ],
          dnssec: "unknown",
          asked: [
            good("@ A", "answer 192.0.2.1"),
            good("@ AAAA", "nodata"),
            good("www A", "answer 192.0.2.1 >good.test"),
            good("mail MX", "answer 10 mail.good.test 5 a.good.test"),
            good("big TXT", `answer ${longText.join("").replaceAll('"', "")}`),
            good("mail._domainkey TXT", "answer v=DKIM1; p=ABCD"),
            good("nothing A", "nxdomain"),
            // Handed on to another server, and away to another zone: as the resolver sees it.
            good("child A", "answer 192.0.2.8"),
            good("away A", "answer 192.0.2.7 >www.poisoned.test >target.good.test"),
            good("gone A", "nxdomain >nothing.good.test")
          ]
        })
      })
    )

    it.effect("a name below a zone belongs to that zone, whether it exists or not", () =>
      Effect.gen(function* () {
        const [www, nothing] = yield* Effect.all([
          observe("www.good.test", [at("@")]),
          observe("deep.nothing.good.test", [at("@")], "deep")
        ])
        assert.deepInclude(www, {
          zone: "good.test",
          asked: [
            {
              question: "@ A",
              published: both("good.test", "answer 192.0.2.1 >good.test"),
              visible: ["answer 192.0.2.1 >good.test"]
            }
          ]
        })
        assert.deepInclude(nothing, {
          delegation: "delegated",
          zone: "good.test",
          asked: [{ question: "@ A", published: both("good.test", "nxdomain"), visible: ["nxdomain"] }]
        })
      })
    )

    it.effect("servers that disagree", () =>
      Effect.gen(function* () {
        const { asked } = yield* observe("differ.test")
        assert.deepStrictEqual(asked[0]?.published, [
          "ns1.differ.test answer 192.0.2.1",
          "ns2.differ.test answer 192.0.2.9"
        ])
      })
    )

    it.effect("a missing delegation is detected by quick and deep checks, also below the registered name", () =>
      Effect.gen(function* () {
        for (const depth of ["quick", "deep"] as const) {
          for (const domain of ["expired.test", "www.expired.test"]) {
            const seen = yield* observe(domain, [at("@")], depth)
            assert.deepInclude(seen, {
              delegation: "absent",
              zone: null,
              servers: [],
              asked: [{ question: "@ A", published: [], visible: ["nxdomain"] }]
            })
          }
        }
      })
    )

    it.effect.each([
      // Knot does not have the zone.
      ["refused.test", "refused", 2, ["servfail"]],
      // The resolver takes answers without authority.
      ["lame.test", "lame", 1, ["answer 192.0.2.1"]],
      ["servfail.test", "servfail", 1, ["servfail"]],
      ["silent.test", "timeout", 1, ["servfail", "timeout"]]
    ] as const)("delegated to servers that do not run it: %s", ([domain, outcome, servers, visible]) =>
      Effect.gen(function* () {
        const seen = yield* observe(domain, [at("@")])
        assert.deepInclude(seen, { delegation: "delegated", zone: domain, dnssec: "unknown" })
        assert.deepStrictEqual(seen.asked[0]?.published, both(domain, outcome).slice(0, servers))
        assert.include(visible, seen.asked[0]?.visible[0])
      })
    )

    it.effect("accepts slow and truncated answers, and ignores forged ones", () =>
      Effect.gen(function* () {
        for (const domain of ["slow.test", "truncated.test", "spoofed.test"]) {
          const { asked } = yield* observe(domain, [at("@")])
          assert.deepStrictEqual(asked[0]?.published, [`ns1.${domain} answer 192.0.2.1`], domain)
        }
        const { hostile, world } = yield* Place
        assert.isTrue(
          hostile.asked.some(
            ({ from, name, over }) => over === "tcp" && name === "truncated.test" && from !== world.resolver.address
          )
        )
      })
    )

    it.effect("ignores additional records of other names and targets outside of the zone", () =>
      Effect.gen(function* () {
        const { asked } = yield* observe("poisoned.test", [at("@"), at("www")])
        assert.deepStrictEqual(asked, [
          { question: "@ A", published: ["ns1.poisoned.test answer 192.0.2.1"], visible: ["answer 192.0.2.1"] },
          {
            question: "www A",
            published: ["ns1.poisoned.test answer 192.0.2.7 >target.good.test"],
            visible: ["answer 192.0.2.7 >target.good.test"]
          }
        ])
      })
    )

    it.effect("detects CNAME loops within a zone and across zones", () =>
      Effect.gen(function* () {
        const { asked } = yield* observe("loop.test", [at("www"), at("ring")])
        assert.deepStrictEqual(
          asked.map(({ published }) => published.map((line) => line.split(" ")[1])),
          [
            ["cname_loop", "cname_loop"],
            ["cname_loop", "cname_loop"]
          ]
        )
        assert.include(asked[0]?.published[0], ">b.loop.test >c.loop.test >www.loop.test")
      })
    )

    it.effect("distinguishes valid, invalid and missing signatures", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* observe("signed.test"), { dnssec: "signed", delegation: "delegated" })
        const bogus = yield* observe("bogus.test", [at("@")])
        assert.deepInclude(bogus, {
          dnssec: "bogus",
          delegation: "delegated",
          zone: "bogus.test",
          asked: [{ question: "@ A", published: ["ns1.bogus.test answer 192.0.2.1"], visible: ["servfail"] }]
        })
        assert.strictEqual((yield* observe("bogus.test", [at("@")], "deep")).dnssec, "bogus")
        assert.strictEqual((yield* observe("signed.test", [at("@")], "deep")).dnssec, "signed")
        assert.strictEqual((yield* observe("good.test", [at("@")], "deep")).dnssec, "unsigned")
        assert.strictEqual((yield* observe("servfail.test", [at("@")], "deep")).dnssec, "unsigned")
      })
    )

    it.effect("name servers at addresses that are not public are not asked", () =>
      Effect.gen(function* () {
        const { inner, world } = yield* Place
        for (const depth of ["quick", "deep"] as const) {
          const seen = yield* observe("inner.test", [at("@")], depth)
          assert.deepStrictEqual(seen.asked[0]?.published, ["ns1.inner.test forbidden"])
          const partly = yield* observe("partly.test", [at("@")], depth)
          assert.deepStrictEqual(partly.asked[0]?.published, ["ns1.partly.test forbidden", "ns2.partly.test refused"])
        }
        assert.deepStrictEqual(
          inner.asked.filter(({ from }) => from !== world.resolver.address),
          []
        )
      })
    )

    it.effect("a name server whose name does not resolve", () =>
      Effect.gen(function* () {
        const seen = yield* observe("nameless.test", [at("@")])
        assert.deepStrictEqual(seen.servers, [{ name: "ns.nothing.invalid", address: null }])
        assert.deepStrictEqual(seen.asked[0]?.published, ["ns.nothing.invalid unreachable"])
      })
    )

    it.effect(
      "repeated observations are equal",
      () =>
        Effect.gen(function* () {
          for (const [domain, questions] of [
            ["good.test", [...apex, at("www"), at("away")]],
            ["differ.test", apex],
            ["expired.test", apex],
            ["refused.test", apex],
            ["bogus.test", apex],
            ["loop.test", [at("www"), at("ring")]],
            ["poisoned.test", [at("@"), at("www")]],
            ["inner.test", apex],
            ["servfail.test", apex]
          ] as const) {
            // Where servers disagree, the resolver repeats now the one and now the other.
            const told = (seen: ReturnType<typeof meaning>) =>
              domain === "differ.test" ? { ...seen, asked: seen.asked.map(({ published }) => published) } : seen
            const first = told(yield* observe(domain, questions))
            for (let round = 2; round <= 10; round++)
              assert.deepStrictEqual(told(yield* observe(domain, questions)), first, `${domain}, round ${round}`)
          }
        }),
      120_000
    )

    it.effect("the end of a registration is visible at once at the parent", () =>
      Effect.gen(function* () {
        const { world } = yield* Place
        assert.strictEqual((yield* observe("other.test", [at("@")], "deep")).delegation, "delegated")
        yield* world.registry.write("test", World.registryLines(world.network, []))
        assert.strictEqual((yield* observe("other.test", [at("@")], "deep")).delegation, "absent")
      })
    )
  })
})
