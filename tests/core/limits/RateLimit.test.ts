import { make } from "#core/limits/RateLimit.ts"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"

describe("RateLimit", () => {
  it("admits a burst, then the rate, and returns the time of the next", () => {
    const limit = make({ burst: 3, perSecond: 2 })
    assert.deepStrictEqual(
      [0, 0, 0, 0].map(() => limit.take("a", 0)),
      [0, 0, 0, 1]
    )
    assert.strictEqual(limit.take("a", 499), 1)
    assert.strictEqual(limit.take("a", 500), 0)
    assert.strictEqual(limit.take("a", 500), 1)
    assert.deepStrictEqual(
      [0, 0, 0, 0].map(() => limit.take("a", 60_000)),
      [0, 0, 0, 1]
    )
  })

  it("never admits more than burst plus rate times time", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 1, maxLength: 200 }),
        (rate, burst, gaps) => {
          const limit = make({ burst, perSecond: rate })
          let now = 0
          let passed = 0
          for (const gap of gaps) {
            now += gap
            if (limit.take("a", now) === 0) passed++
          }
          return passed <= burst + (rate * now) / 1000 + 1e-6
        }
      )
    )
  })

  it("counts clients separately, and tolerates a clock set back", () => {
    const limit = make({ burst: 1, perSecond: 1 })
    assert.strictEqual(limit.take("192.0.2.1", 10_000), 0)
    assert.strictEqual(limit.take("192.0.2.2", 10_000), 0)
    assert.strictEqual(limit.take("192.0.2.1", 9_000), 1)
    assert.strictEqual(limit.take("192.0.2.1", 10_000), 0)
  })

  it("counts an IPv6 client by its /64", () => {
    const limit = make({ burst: 1, perSecond: 1 })
    assert.strictEqual(limit.take("2001:db8:1:2::1", 0), 0)
    assert.strictEqual(limit.take("2001:db8:1:2::2", 0), 1)
    assert.strictEqual(limit.take("2001:db8:1:3::1", 0), 0)
  })

  it("stores a limited number of clients, and evicts the least recently seen", () => {
    const limit = make({ burst: 1, perSecond: 0.001 }, 3)
    for (const client of ["a", "b", "c"]) assert.strictEqual(limit.take(client, 0), 0)
    assert.isAbove(limit.take("a", 1), 0)
    assert.strictEqual(limit.take("d", 2), 0)
    assert.strictEqual(limit.size(), 3)
    assert.isAbove(limit.take("a", 3), 0)
    assert.strictEqual(limit.take("b", 3), 0)
  })
})
