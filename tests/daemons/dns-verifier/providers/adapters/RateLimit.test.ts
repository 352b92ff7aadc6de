import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { longestTurn, make } from "#daemons/dns-verifier/providers/adapters/RateLimit.ts"

it.effect("admits a burst, then a steady rate, and another burst after a pause", () =>
  Effect.gen(function* () {
    const bound = make({ burst: 3, perSecond: 2 })
    let passed = 0
    const all = yield* Effect.forkChild(
      Effect.forEach(Array.from({ length: 7 }), () => Effect.tap(bound.turn, () => Effect.sync(() => passed++)))
    )
    yield* TestClock.adjust(0)
    expect(passed).toBe(3)
    yield* TestClock.adjust(499)
    expect(passed).toBe(3)
    yield* TestClock.adjust(1)
    expect(passed).toBe(4)
    yield* TestClock.adjust(1_500)
    expect(passed).toBe(7)
    yield* Fiber.join(all)
    yield* TestClock.adjust(10_000)
    yield* Effect.forEach([1, 2, 3], () => bound.turn)
  })
)

it.effect("fails immediately when the wait would be too long", () =>
  Effect.gen(function* () {
    const bound = make({ burst: 1, perSecond: 1 })
    const waiting = yield* Effect.forEach(Array.from({ length: longestTurn / 1_000 + 1 }), () =>
      Effect.forkChild(bound.turn)
    )
    yield* TestClock.adjust(0)
    const late = yield* Effect.result(bound.turn)
    expect(Result.isFailure(late) && late.failure.reason).toBe("rate_limited")
    expect(Result.isFailure(late) && late.failure.retryAfter).toBeGreaterThan(longestTurn)
    yield* Effect.forEach(waiting, Fiber.interrupt)
  })
)
