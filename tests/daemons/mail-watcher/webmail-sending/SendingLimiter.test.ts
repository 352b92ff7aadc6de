import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { maxOfOne, maxUnderWay, SendingLimiter } from "#daemons/mail-watcher/webmail-sending/SendingLimiter.ts"

const account = (user_id: number, kind: "own" | "foreign" = "foreign", id = user_id * 100) => ({
  id,
  kind,
  tenant_id: 7,
  user_id
})

describe("sending limiter", () => {
  it.effect("limits each user, and separates foreign from own servers", () =>
    Effect.gen(function* () {
      const limiter = new SendingLimiter()
      const slow = yield* Deferred.make<void>()
      let begun = 0
      const hang = (user: number, at: number) =>
        limiter.run(
          account(user, "foreign", at),
          Effect.andThen(
            Effect.sync(() => void (begun += 1)),
            Deferred.await(slow)
          )
        )
      const first = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, at) => at),
        (at) => Effect.forkChild(hang(1, at))
      )
      yield* Effect.yieldNow
      assert.strictEqual(begun, maxOfOne)
      // Other users continue, at their servers and at ours.
      assert.strictEqual(yield* limiter.run(account(2), Effect.succeed("sent")), "sent")
      const others = yield* Effect.forEach([3, 4, 5, 6, 7, 8, 9], (user) => Effect.forkChild(hang(user, 0)))
      yield* Effect.yieldNow
      assert.strictEqual(begun, maxUnderWay)
      assert.strictEqual(yield* limiter.run(account(2, "own"), Effect.succeed("sent")), "sent")
      // A waiting send can be interrupted, and a finished one frees its place.
      yield* Fiber.interrupt(first.at(-1)!)
      yield* Deferred.succeed(slow, undefined)
      yield* Effect.forEach([...first.slice(0, -1), ...others], Fiber.await)
      assert.strictEqual(begun, 19 + 7)
    })
  )
})
