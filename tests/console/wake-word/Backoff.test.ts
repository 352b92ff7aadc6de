/** Delays between reconnects of the wake word's library. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { defaultPlan, delayBefore, nextAttempt } from "../../../console/wake-word/Backoff.ts"

it("plans five reconnects from one second on, and no sixth", () => {
  const delays = [1, 2, 3, 4, 5, 6].map((attempt) => delayBefore(attempt, defaultPlan, 0))
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, undefined])
})

it("makes each delay longer than the one before, whatever the random parts are", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 }), (random) => {
      const delays = random.map((one, index) => delayBefore(index + 1, defaultPlan, one)!)
      for (const [index, delay] of delays.entries()) {
        expect(delay).toBeGreaterThan(delays[index - 1] ?? 0)
        expect(delay).toBeLessThanOrEqual(1.25 * 1_000 * 2 ** index)
      }
    })
  )
})

it("counts on after a short connection, and starts a new count after a stable one", () => {
  expect(nextAttempt(0, 0, defaultPlan)).toBe(1)
  expect(nextAttempt(4, defaultPlan.stable - 1, defaultPlan)).toBe(5)
  expect(nextAttempt(4, defaultPlan.stable, defaultPlan)).toBe(1)
})
