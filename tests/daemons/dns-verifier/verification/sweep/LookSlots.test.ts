import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Places } from "#daemons/dns-verifier/verification/sweep/LookSlots.ts"

it.live("lets so many begin, the others in the order in which they came, and says when nobody waits", () =>
  Effect.gen(function* () {
    const places = new Places(2)
    const begun: Array<number> = []
    yield* places.ready
    for (const one of [1, 2, 3, 4]) places.enter(() => void begun.push(one))
    expect(begun).toEqual([1, 2])
    const waits = yield* Effect.forkChild(places.ready)
    yield* Effect.yieldNow
    places.giveBack()
    yield* Effect.yieldNow
    expect([begun, waits.pollUnsafe()]).toEqual([[1, 2, 3], undefined])
    places.giveBack()
    yield* Fiber.join(waits)
    expect(begun).toEqual([1, 2, 3, 4])
    // Two are under way: one more is not, until one has ended.
    places.enter(() => void begun.push(5))
    expect(begun).toHaveLength(4)
    places.giveBack()
    expect(begun).toHaveLength(5)
    places.giveBack()
    places.giveBack()
    for (const one of [6, 7, 8]) places.enter(() => void begun.push(one))
    expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7])
  })
)
