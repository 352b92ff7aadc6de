import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { Duration } from "effect"
import { admission, type Breaker, type BreakerEvent, type BreakerPolicy, closed, decide } from "#core/limits/Breaker.ts"
import { makeBreakers } from "#core/limits/Breakers.ts"

const policy: BreakerPolicy = {
  faultsToOpen: 5,
  pause: { name: "probe", base: Duration.seconds(2), max: Duration.seconds(30), jitter: 0.2 }
}

const fault = (probe = false, random = 0.5): BreakerEvent => ({ _tag: "Faulted", probe, reason: "gone", random })
const step = (breaker: Breaker, event: BreakerEvent, now = 0) => decide(breaker, event, now, policy)
const times = (count: number, breaker: Breaker, event: BreakerEvent, now = 0) =>
  Array.from({ length: count }).reduce<Breaker>((last) => step(last, event, now), breaker)
const opened = (now = 0) => times(5, closed(0), fault(), now)

describe("Breaker", () => {
  it("opens after five faults in a row, and not after five with an answer between", () => {
    assert.deepStrictEqual(times(4, closed(0), fault()), { _tag: "Closed", since: 0, faults: 4 })
    assert.deepStrictEqual(opened(7), { _tag: "Open", since: 7, openings: 1, until: 2_007, reason: "gone" })
    const answered = step(times(4, closed(0), fault()), { _tag: "Answered" })
    assert.strictEqual(times(4, answered, fault())._tag, "Closed")
  })

  it("never opens for what says nothing of the channel", () => {
    assert.deepStrictEqual(times(100, closed(0), { _tag: "Unclear", probe: false }), closed(0))
  })

  it("lets one through after the pause, and nobody beside it", () => {
    const open = opened()
    assert.deepStrictEqual(admission(open, 1_999), { _tag: "Refused", until: 2_000, reason: "gone" })
    assert.strictEqual(step(open, { _tag: "Asked" }, 1_999), open)
    assert.deepStrictEqual(admission(open, 2_000), { _tag: "Probe" })
    const half = step(open, { _tag: "Asked" }, 2_000)
    assert.deepStrictEqual(half, { _tag: "HalfOpen", since: 0, openings: 1, reason: "gone" })
    assert.deepStrictEqual(admission(half, 9_999), { _tag: "Refused", until: undefined, reason: "gone" })
    assert.deepStrictEqual(step(half, { _tag: "Answered" }, 2_100), closed(2_100))
  })

  it("pauses longer after each probe, up to a bound, and counts its being away from the first", () => {
    let breaker = opened()
    const pauses: Array<number> = []
    for (let now = 2_000; pauses.length < 6;) {
      breaker = step(step(breaker, { _tag: "Asked" }, now), fault(true), now)
      assert(breaker._tag === "Open" && breaker.since === 0)
      pauses.push(breaker.until - now)
      now = breaker.until
    }
    assert.deepStrictEqual(pauses, [4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  })

  it("takes from those that set out before it opened an answer, and no fault", () => {
    const open = opened()
    assert.strictEqual(step(open, fault(), 50), open)
    assert.deepStrictEqual(step(open, { _tag: "Answered" }, 50), closed(50))
    const half = step(open, { _tag: "Asked" }, 2_000)
    assert.strictEqual(step(half, fault(), 2_001), half)
    assert.strictEqual(step(half, { _tag: "Unclear", probe: false }, 2_001), half)
  })

  it("lets the next look when a probe ended without an answer or a fault", () => {
    const ended = step(step(opened(), { _tag: "Asked" }, 2_000), { _tag: "Unclear", probe: true }, 2_500)
    assert.deepStrictEqual(admission(ended, 2_500), { _tag: "Probe" })
  })

  it("always ends: whatever happened, an answer closes it, and no pause is longer than its bound", () => {
    const event = fc.oneof(
      fc.constant<BreakerEvent>({ _tag: "Asked" }),
      fc.constant<BreakerEvent>({ _tag: "Answered" }),
      fc.boolean().map((probe): BreakerEvent => ({ _tag: "Unclear", probe })),
      fc.tuple(fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true })).map(([probe, random]) => fault(probe, random))
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(event, fc.nat(40_000)), { maxLength: 60 }), (events) => {
        let breaker = closed(0)
        let now = 0
        for (const [event, pause] of events) {
          now += pause
          breaker = step(breaker, event, now)
          if (breaker._tag === "Open") assert.isAtMost(breaker.until - now, 36_000)
        }
        assert.strictEqual(step(breaker, { _tag: "Answered" }, now)._tag, "Closed")
      })
    )
  })
})

describe("Breakers", () => {
  it("keeps those that failed, and forgets the least used beyond its bound", () => {
    const breakers = makeBreakers(policy, 3)
    const down = (key: string) => Array.from({ length: 5 }).forEach(() => breakers.tell(key, fault(), 1))
    for (const key of ["a", "b", "c"]) down(key)
    breakers.tell("well", { _tag: "Answered" }, 2)
    breakers.admit("a", 2, true)
    down("d")
    assert.deepStrictEqual(
      breakers
        .away()
        .map(({ key }) => key)
        .toSorted(),
      ["a", "c", "d"]
    )
    assert.deepStrictEqual([breakers.admit("a", 2, true)._tag, breakers.admit("b", 2, true)._tag], ["Refused", "Pass"])
    assert.isUndefined(breakers.lastBack())
    breakers.tell("a", { _tag: "Answered" }, 9)
    assert.deepStrictEqual([breakers.admit("a", 9, true)._tag, breakers.lastBack()], ["Pass", 9])
  })
})
