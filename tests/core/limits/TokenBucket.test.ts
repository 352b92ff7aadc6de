import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { TokenBucket } from "#core/limits/TokenBucket.ts"

describe("TokenBucket", () => {
  it("allows a burst, then a steady rate", () => {
    const policy = { burst: 10_000, perSecond: 5 }
    const bucket = new TokenBucket(policy, 0)
    expect(bucket.take(policy.burst, 0)).toBe(0)
    let now = 0
    for (let taken = 0; taken < 100; taken++) now += bucket.take(1, now)
    expect(now).toBeCloseTo((100 / policy.perSecond) * 1000, 0)
    // After a quiet time the full burst is available again, but not more.
    now += 10 * policy.burst * 1000
    expect(bucket.take(policy.burst, now)).toBe(0)
    expect(bucket.take(1, now)).toBeGreaterThan(0)
    // A clock that goes backwards changes nothing.
    expect(bucket.take(0, now - 60_000)).toBeLessThanOrEqual(1000 / policy.perSecond)
  })

  it("keeps a minimum distance with a burst of one, without catching up", () => {
    const bucket = new TokenBucket({ burst: 1, perSecond: 10 }, 1_000)
    const slot = (now: number) => now + bucket.take(1, now)
    expect([slot(1_000), slot(1_000), slot(1_010), slot(5_000), slot(5_000)]).toEqual([
      1_000, 1_100, 1_200, 5_000, 5_100
    ])
  })

  it("takes nothing when the wait would be too long", () => {
    const bucket = new TokenBucket({ burst: 1, perSecond: 1 }, 0)
    expect([0, 0, 0, 0].map((now) => bucket.take(1, now, 1_500))).toEqual([0, 1_000, 2_000, 2_000])
    expect(bucket.take(1, 500, 1_500)).toBe(1_500)
  })

  it("refuses without taking, and the wait is right", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 50 }),
        (burst, perSecond, gaps) => {
          const bucket = new TokenBucket({ burst, perSecond }, 0)
          let now = 0
          for (const gap of gaps) {
            now += gap
            const wait = bucket.tryTake(now)
            if (wait === 0) continue
            expect(bucket.tryTake(now)).toBe(wait)
            now += Math.ceil(wait) + 1
            expect(bucket.tryTake(now)).toBe(0)
          }
        }
      )
    )
  })
})
