import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { freeAt, type Granted, turnAt, type Window, withGrant } from "#core/limits/SlidingWindow.ts"
import { makeTurnLimiter, maxWait, maxWaiting, type Rate, type Turn } from "#core/limits/TurnLimiter.ts"

describe("SlidingWindow", () => {
  it("never gives more than `most` in any window, and never makes anyone wait without need", () => {
    const limits = fc.record({ most: fc.integer({ min: 1, max: 6 }), window: fc.integer({ min: 1, max: 100 }) })
    fc.assert(
      fc.property(limits, fc.array(fc.nat(60), { maxLength: 40 }), (limit, pauses) => {
        let log: Granted = []
        let now = 0
        const times: Array<number> = []
        for (const pause of pauses) {
          now += pause
          const at = freeAt(log, limit, now)
          if (at > now)
            assert.strictEqual(
              times.filter((time) => time > at - 1 - limit.window && time <= at - 1).length,
              limit.most,
              "waits without need"
            )
          log = withGrant(log, limit, at)
          times.push(at)
          now = at
          assert.isAtMost(log.length, limit.most)
        }
        for (const time of times)
          assert.isAtMost(times.filter((other) => other > time - limit.window && other <= time).length, limit.most)
      })
    )
  })

  it("tells the turn of one behind others", () => {
    const limit: Window = { most: 2, window: 10 }
    assert.deepStrictEqual(
      [0, 1, 2, 3, 4].map((ahead) => turnAt([], limit, ahead, 5)),
      [5, 5, 15, 15, 25]
    )
    assert.strictEqual(turnAt([0, 4], limit, 1, 5), 14)
  })
})

/**
 * Takes turns in this order. Returns the milliseconds at which each got its turn, or its retryAfter as a negative
 * number.
 */
const turns = Effect.fnUntraced(function* (
  asks: ReadonlyArray<ReadonlyArray<Rate>>,
  options: { readonly maxWait?: number } = {}
) {
  const limiter = makeTurnLimiter(options)
  const clock = yield* TestClock.testClockWith(Effect.succeed)
  const ends: Array<number> = []
  const fibers = []
  for (const [index, limits] of asks.entries()) {
    fibers.push(
      yield* Effect.forkChild(
        Effect.map(limiter.take(limits), (turn: Turn) => {
          ends[index] = turn._tag === "Now" ? clock.currentTimeMillisUnsafe() : -turn.retryAfter
        })
      )
    )
    // Keeps the order of the requests.
    yield* Effect.yieldNow
  }
  for (let ms = 0; ms < 10_000; ms += 10) yield* TestClock.adjust(10)
  for (const fiber of fibers) yield* Fiber.join(fiber)
  return { ends, limiter }
})

const chat: Rate = { key: "chat", most: 1, window: 1_000 }
const other: Rate = { key: "other", most: 1, window: 1_000 }
const all: Rate = { key: "all", most: 3, window: 1_000 }

describe("TurnLimiter", () => {
  it.effect("serves in order, and holds nobody back for another's sake", () =>
    Effect.gen(function* () {
      const { ends } = yield* turns([
        [chat, all],
        [chat, all],
        [chat, all],
        [other, all],
        [other, all]
      ])
      assert.deepStrictEqual(ends, [0, 1_000, 2_000, 0, 1_000])
    })
  )

  it.effect("holds the limit over all", () =>
    Effect.gen(function* () {
      const { ends } = yield* turns(
        Array.from({ length: 8 }, (_, index) => [{ key: `chat ${index}`, most: 1, window: 1_000 }, all])
      )
      assert.deepStrictEqual(ends, [0, 0, 0, 1_000, 1_000, 1_000, 2_000, 2_000])
    })
  )

  it.effect("lets nobody wait longer than it says, and sends each away for a time of its own", () =>
    Effect.gen(function* () {
      const { ends, limiter } = yield* turns(Array.from({ length: 8 }, () => [chat, all]))
      assert.deepStrictEqual(ends, [0, 1_000, 2_000, 3_000, -4_000, -5_000, -6_000, -7_000])
      assert.isAtLeast(maxWait, 3_000)
      assert.deepStrictEqual(yield* limiter.figures, { lastMinute: 4, waiting: 0 })
      // A refused request is served at the time that the refusal named.
      assert.deepStrictEqual(yield* limiter.take([chat, all]), { _tag: "Now" })
    })
  )

  it.effect("bounds how many wait", () =>
    Effect.gen(function* () {
      const limiter = makeTurnLimiter({ maxWait: 1_000_000_000 })
      const fibers = []
      for (let index = 0; index < maxWaiting + 2; index++) fibers.push(yield* Effect.forkChild(limiter.take([chat])))
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* limiter.figures).waiting, maxWaiting)
      assert.strictEqual((yield* Fiber.join(fibers.at(-1)!))._tag, "Later")
      for (const fiber of fibers) yield* Fiber.interrupt(fiber)
      assert.strictEqual((yield* limiter.figures).waiting, 0)
    })
  )

  it.effect("keeps a pause that the other side asked for, also for those who wait already", () =>
    Effect.gen(function* () {
      const limiter = makeTurnLimiter()
      assert.deepStrictEqual(yield* limiter.take([chat]), { _tag: "Now" })
      const waiting = yield* Effect.forkChild(limiter.take([chat]))
      yield* TestClock.adjust(1)
      yield* limiter.hold("chat", 20_000)
      assert.deepStrictEqual(yield* limiter.ask([chat]), { _tag: "Later", retryAfter: 21_000 })
      yield* TestClock.adjust(maxWait)
      const turn = yield* Fiber.join(waiting)
      assert(turn._tag === "Later" && turn.retryAfter >= 16_000)
      assert.deepStrictEqual(yield* limiter.ask([other]), { _tag: "Now" })
      yield* TestClock.adjust(30_000)
      assert.deepStrictEqual(yield* limiter.ask([chat]), { _tag: "Now" })
    })
  )

  it.effect("lets a burst of a token bucket through at once, then goes at its pace, behind a hold too", () =>
    Effect.gen(function* () {
      const bucket: Rate = { key: "b", burst: 3, perSecond: 3 }
      const { ends, limiter } = yield* turns(Array.from({ length: 8 }, () => [bucket]))
      assert.deepStrictEqual(ends.slice(0, 3), [0, 0, 0])
      for (const [n, at] of ends.slice(3).entries()) assert.isAtMost(Math.abs(at - (1_000 * (n + 1)) / 3), 10)
      // Rested since, so the bucket is full again; the hold comes first.
      yield* limiter.hold("b", 500)
      assert.deepStrictEqual(yield* limiter.ask([bucket], 0), { _tag: "Later", retryAfter: 500 })
      assert.deepStrictEqual(yield* limiter.ask([bucket], 500), { _tag: "Now" })
    })
  )

  it.effect("forgets a bucket only when it is full", () =>
    Effect.gen(function* () {
      const limiter = makeTurnLimiter({ maxWait: 0 })
      const slow: Rate = { key: "slow", burst: 1, perSecond: 0.01 }
      yield* limiter.take([slow])
      // More keys than are kept without a sweep.
      for (let n = 0; n < 1_100; n++) yield* limiter.take([{ key: `host ${n}`, burst: 1, perSecond: 1_000 }])
      assert.strictEqual((yield* limiter.take([slow]))._tag, "Later")
    })
  )
})
