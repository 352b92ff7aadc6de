import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { make, type OutboundPolicy } from "#core/limits/OutboundHost.ts"

const policy: OutboundPolicy = {
  name: "the service",
  rates: (room) => [
    { key: `room ${room}`, most: 1, window: 1_000 },
    { key: "all", most: 2, window: 1_000 }
  ],
  breaker: {
    faultsToOpen: 1,
    pause: { name: "probe", base: Duration.seconds(1), max: Duration.seconds(1), jitter: 0 },
    key: (room) => room.slice(0, 1)
  }
}

const fault = { _tag: "Faulted", probe: false, reason: "gone", random: 0 } as const

describe("OutboundHost", () => {
  it.effect("puts a target off for its own rate, and lets it wait for the rate of all", () =>
    Effect.gen(function* () {
      const host = make(policy)
      yield* host.take("a")
      yield* host.take("b")
      assert.deepStrictEqual(yield* host.ask("a"), { _tag: "Later", retryAfter: 1_000 })
      assert.deepStrictEqual(yield* host.ask("c"), { _tag: "Now" })
      yield* host.hold("c", 2_000)
      assert.deepStrictEqual([(yield* host.ask("c"))._tag, (yield* host.ask("d"))._tag], ["Later", "Now"])
    })
  )

  it.effect("has a breaker for each key, and none where the policy has none", () =>
    Effect.gen(function* () {
      const host = make(policy)
      yield* host.tell("a1", fault)
      const tags = yield* Effect.forEach(["a2", "b1"], (room) => host.admit(room, true))
      assert.deepStrictEqual(
        tags.map(({ _tag }) => _tag),
        ["Refused", "Pass"]
      )
      assert.deepStrictEqual([host.isSuspect("a2"), host.isSuspect("b1"), host.away().length], [true, false, 1])
      const without = make({ name: policy.name, rates: policy.rates })
      yield* without.tell("a1", fault)
      assert.deepStrictEqual([yield* without.admit("a1", true), without.isSuspect("a1")], [{ _tag: "Pass" }, false])
    })
  )
})
