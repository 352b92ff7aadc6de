import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { LookSlots } from "#daemons/dns-verifier/verification/sweep/LookSlots.ts"

it.live("admits a fixed number, then others in order of arrival, and reports when nobody waits", () =>
  Effect.gen(function* () {
    const slots = new LookSlots(2)
    const begun: Array<number> = []
    yield* slots.ready
    for (const one of [1, 2, 3, 4]) slots.enter(() => void begun.push(one))
    expect(begun).toEqual([1, 2])
    const waits = yield* Effect.forkChild(slots.ready)
    yield* Effect.yieldNow
    slots.giveBack()
    yield* Effect.yieldNow
    expect([begun, waits.pollUnsafe()]).toEqual([[1, 2, 3], undefined])
    slots.giveBack()
    yield* Fiber.join(waits)
    expect(begun).toEqual([1, 2, 3, 4])
    // Two are under way: one more is not, until one has ended.
    slots.enter(() => void begun.push(5))
    expect(begun).toHaveLength(4)
    slots.giveBack()
    expect(begun).toHaveLength(5)
    slots.giveBack()
    slots.giveBack()
    for (const one of [6, 7, 8]) slots.enter(() => void begun.push(one))
    expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7])
  })
)
