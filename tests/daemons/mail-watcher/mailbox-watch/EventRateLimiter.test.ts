import { describe, expect, it } from "@effect/vitest"
import { EventRateLimiter, eventBurst, eventsPerSecond } from "#daemons/mail-watcher/mailbox-watch/EventRateLimiter.ts"

describe("EventRateLimiter", () => {
  it("allows a burst, then a steady rate", () => {
    const pace = new EventRateLimiter(0)
    expect(pace.take(eventBurst, 0)).toBe(0)
    let now = 0
    for (let told = 0; told < 100; told++) now += pace.take(1, now)
    expect(now).toBeCloseTo((100 / eventsPerSecond) * 1000, 0)
    // After a quiet time the full burst is available again, but not more.
    now += 10 * eventBurst * 1000
    expect(pace.take(eventBurst, now)).toBe(0)
    expect(pace.take(1, now)).toBeGreaterThan(0)
    // A clock that goes backwards changes nothing.
    expect(pace.take(0, now - 60_000)).toBeLessThanOrEqual(1000 / eventsPerSecond)
  })
})
