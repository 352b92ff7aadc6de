import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { growEvery, makeHostSlots, patience, pauseOf, pauses, type HostSlots } from "#core/limits/HostSlots.ts"

/** A delivery that lasts until `end`. `answer` shows whether it got a slot. */
const deliver = Effect.fnUntraced(function* (slots: HostSlots, host: string, priority = 0) {
  const scope = yield* Scope.make()
  const ended = yield* Deferred.make<void>()
  const recorded = yield* Deferred.make<void>()
  const state: { answer: "taken" | "waits" | number } = { answer: "waits" }
  const fiber = yield* Effect.forkChild(
    Effect.gen(function* () {
      const slot = yield* slots.take(host, priority)
      state.answer = slot._tag === "Taken" ? "taken" : slot.retryAfter
      if (slot._tag === "Taken") yield* slot.dialling(Deferred.await(ended))
      yield* Deferred.await(recorded)
    }).pipe(Scope.provide(scope), Effect.ensuring(Scope.close(scope, Exit.void)))
  )
  yield* settle
  return {
    answer: () => state.answer,
    /** The host has answered; the outcome is not recorded yet. */
    answered: Effect.andThen(Deferred.succeed(ended, undefined), settle),
    end: Effect.andThen(
      Effect.andThen(Deferred.succeed(ended, undefined), Deferred.succeed(recorded, undefined)),
      settle
    ),
    cut: Effect.andThen(Fiber.interrupt(fiber), Effect.andThen(Scope.close(scope, Exit.void), settle))
  }
})

const settle = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow, { discard: true })

describe("HostSlots", () => {
  it.effect("holds a host to its bound, and no other host with it", () =>
    Effect.gen(function* () {
      const slots = makeHostSlots(2, 2)
      const [one, two, three] = [yield* deliver(slots, "a"), yield* deliver(slots, "a"), yield* deliver(slots, "a")]
      const elsewhere = yield* deliver(slots, "b")
      assert.deepStrictEqual(
        [one, two, three, elsewhere].map(({ answer }) => answer()),
        ["taken", "taken", "waits", "taken"]
      )
      yield* one.end
      assert.strictEqual(three.answer(), "taken")
    })
  )

  it.effect("gives a host few slots at first, and more while requests wait", () =>
    Effect.gen(function* () {
      const slots = makeHostSlots(3, 1)
      const all = [
        yield* deliver(slots, "a"),
        yield* deliver(slots, "a"),
        yield* deliver(slots, "a"),
        yield* deliver(slots, "a")
      ]
      const taken = () => all.filter(({ answer }) => answer() === "taken").length
      assert.strictEqual(taken(), 1)
      for (const expected of [2, 3, 3]) {
        yield* TestClock.adjust(growEvery)
        yield* settle
        assert.strictEqual(taken(), expected)
      }
      for (const one of all) yield* one.end
      // Nobody waited any more, so the next requests begin with few slots again.
      assert.deepStrictEqual(
        [yield* deliver(slots, "a"), yield* deliver(slots, "a")].map(({ answer }) => answer()),
        ["taken", "waits"]
      )
    })
  )

  it.effect("holds a slot until the outcome is recorded, but does not call the host silent meanwhile", () =>
    Effect.gen(function* () {
      const slots = makeHostSlots(1)
      const [first, next] = [yield* deliver(slots, "a"), yield* deliver(slots, "a")]
      yield* first.answered
      yield* TestClock.adjust(patience * 2)
      yield* settle
      assert.strictEqual(next.answer(), "waits")
      yield* first.end
      assert.strictEqual(next.answer(), "taken")
    })
  )

  it.effect("lets the gravest in first, then who came first", () =>
    Effect.gen(function* () {
      const slots = makeHostSlots(1)
      const first = yield* deliver(slots, "a")
      const [early, late, grave] = [
        yield* deliver(slots, "a", 10),
        yield* deliver(slots, "a", 10),
        yield* deliver(slots, "a", 30)
      ]
      yield* first.end
      assert.deepStrictEqual(
        [early, late, grave].map(({ answer }) => answer()),
        ["waits", "waits", "taken"]
      )
      yield* grave.end
      assert.deepStrictEqual(
        [early, late].map(({ answer }) => answer()),
        ["taken", "waits"]
      )
    })
  )

  it.effect("tells who waits at a host that keeps silent to come again, and who comes later at once", () =>
    Effect.gen(function* () {
      const slots = makeHostSlots(1)
      const hanging = yield* deliver(slots, "a")
      const waiting = yield* deliver(slots, "a")
      yield* TestClock.adjust(patience - 1)
      yield* settle
      assert.strictEqual(waiting.answer(), "waits")
      yield* TestClock.adjust(10)
      yield* settle
      assert.isNumber(waiting.answer())
      assert.isNumber((yield* deliver(slots, "a")).answer())
      yield* hanging.end
      assert.strictEqual((yield* deliver(slots, "a")).answer(), "taken")
    })
  )

  it.effect("does not lose a slot to whoever is interrupted, in it or waiting for it", () =>
    Effect.gen(function* () {
      const slots = makeHostSlots(1)
      const [held, gone, next] = [yield* deliver(slots, "a"), yield* deliver(slots, "a", 5), yield* deliver(slots, "a")]
      yield* gone.cut
      yield* held.cut
      assert.strictEqual(next.answer(), "taken")
    })
  )

  it("spreads the pause over as much again, within its bounds", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (silent, random) => {
          const pause = pauseOf(silent, random)
          assert.isAtLeast(pause, pauses.least)
          assert.isAtMost(pause, 2 * pauses.most)
        }
      )
    )
  })
})
