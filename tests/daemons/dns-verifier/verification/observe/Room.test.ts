import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { observerLimits } from "#daemons/dns-verifier/verification/observe/Limits.ts"
import * as Observer from "#daemons/dns-verifier/verification/observe/Observer.ts"
import { until } from "#support/Frame.ts"
import * as Hostile from "../../../../support/dns/HostileServer.ts"
import { makeNetwork } from "../../../../support/dns/Network.ts"

it.live(
  "a quick check starts as soon as the first resolver has capacity",
  () =>
    Effect.gen(function* () {
      const network = makeNetwork()
      const first = yield* Hostile.make(network.address(1), 0, ({ name, type }) => [
        { answers: type === "A" ? [Hostile.a(name, "192.0.2.1")] : [], after: 300 }
      ])
      const second = yield* Hostile.make(network.address(2), 0, () => [{}])
      const limits = { ...observerLimits, resolver: { inFlight: 3, rate: 1000 } }
      const config = {
        resolvers: [first, second].map(({ address, port }) => `${address}:${port}`),
        dnsAllowCidrs: ["127.0.0.0/8"],
        dnsPort: first.port
      }
      const observer = yield* Observer.Observer.pipe(Effect.provide(yield* Layer.build(Observer.layer(config, limits))))
      let [begun, ended] = [0, 0]
      for (const name of ["a.test", "b.test", "c.test"]) {
        observer.whenRoom(() => {
          begun++
          void observer
            .glance(
              name,
              [
                { type: "A", name: "@" },
                { type: "A", name: "www" }
              ],
              { stopped: false }
            )
            .then(() => ended++)
        })
      }
      assert.strictEqual(begun, 1, "one asks for its servers and two addresses")
      yield* until(
        "all have begun and ended",
        Effect.sync(() => ended === 3),
        20
      )
    }),
  120_000
)
