/** Collections after work, with a garbage collector that only counts. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { collectAfterWork } from "#core/supervision/StartGarbage.ts"

it.effect("memory is collected after work that left much behind, and not at rest", () =>
  Effect.gen(function* () {
    const before = globalThis.gc
    let collected = 0
    globalThis.gc = (() => {
      collected++
      return Promise.resolve()
    }) as unknown as NonNullable<typeof globalThis.gc>
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        if (before === undefined) delete (globalThis as { gc?: unknown }).gc
        else globalThis.gc = before
      })
    )
    yield* Effect.forkScoped(collectAfterWork)
    yield* TestClock.adjust("5 minutes")
    expect(collected).toBe(0)
    // About 64 MB, in objects of the heap.
    const left = Array.from({ length: 2_000_000 }, (_, index) => ({ index }))
    yield* TestClock.adjust("1 minute")
    yield* Effect.yieldNow
    expect(collected).toBe(1)
    yield* TestClock.adjust("5 minutes")
    expect(collected).toBe(1)
    expect(left.length).toBeGreaterThan(0)
  })
)
