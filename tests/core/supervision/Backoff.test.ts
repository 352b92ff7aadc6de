import { expect, it } from "@effect/vitest"
import { Duration, Effect, Ref } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import * as Backoff from "#core/supervision/Backoff.ts"

const policy = fc.record({
  name: fc.constant("made up"),
  base: fc.integer({ min: 1, max: 5000 }).map(Duration.millis),
  max: fc.integer({ min: 5000, max: 100_000 }).map(Duration.millis),
  jitter: fc.double({ min: 0, max: 1, noNaN: true })
})
const millis = (made: Backoff.Backoff, attempt: number, random: number) =>
  Duration.toMillis(Backoff.delay(made, attempt, random))

it("stays within its limits, doubles, and never ends", () => {
  fc.assert(
    fc.property(
      policy,
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (made, attempt, random) => {
        const wait = millis(made, attempt, random)
        const [base, max] = [Duration.toMillis(made.base), Duration.toMillis(made.max)]
        expect(wait).toBeGreaterThanOrEqual(Math.floor(Math.min(base, max) * (1 - made.jitter)))
        expect(wait).toBeLessThanOrEqual(Math.ceil(max * (1 + made.jitter)))
        expect(millis(made, attempt + 1, 0.5)).toBe(Math.min(millis(made, attempt, 0.5) * 2, max))
      }
    )
  )
})

it("applies jitter in both directions", () => {
  fc.assert(
    fc.property(policy, fc.integer({ min: 1, max: 100 }), (made, attempt) => {
      const middle = millis(made, attempt, 0.5)
      expect(millis(made, attempt, 0)).toBe(Math.round(middle * (1 - made.jitter)))
      expect(millis(made, attempt, 1)).toBe(Math.round(middle * (1 + made.jitter)))
    })
  )
})

it.effect("is an endless schedule with a maximum interval", () =>
  Effect.gen(function* () {
    const tries = yield* Ref.make(0)
    const fiber = yield* Effect.forkChild(
      Effect.retry(
        Effect.andThen(
          Ref.update(tries, (count) => count + 1),
          Effect.fail("away")
        ),
        Backoff.schedule(Backoff.eager)
      )
    )
    yield* TestClock.adjust("10 minutes")
    const after = yield* Ref.get(tries)
    expect(after).toBeGreaterThan((10 * 60) / (1 + Backoff.eager.jitter) - 10)
    expect(after).toBeLessThan((10 * 60) / (1 - Backoff.eager.jitter) + 10)
    expect(fiber.pollUnsafe()).toBeUndefined()
  })
)
