import { expect, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { holdsAfter } from "./Frame.ts"

/** A look that takes `length` milliseconds, and is true if it begins `ms` milliseconds after now or later. */
const trueFrom = (ms: number, length: number) => {
  const from = performance.now()
  return Effect.suspend(() => {
    const isTrue = performance.now() - from >= ms
    return Effect.as(Effect.sleep(length), isTrue)
  })
}

it.live("a promise is broken by a false look that begins after its time, and not by a long one before", () =>
  Effect.gen(function* () {
    const outcome = (ms: number, length: number) => Effect.exit(holdsAfter(100, "it is", trueFrom(ms, length)))
    expect(Exit.isSuccess(yield* outcome(0, 0))).toBe(true)
    expect(Exit.isSuccess(yield* outcome(50, 300))).toBe(true)
    expect(String(yield* outcome(60_000, 0))).toMatch(/not after \d+ ms: it is/)
  })
)
