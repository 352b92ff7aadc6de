import { expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber } from "effect"
import { pbkdf2 } from "node:crypto"
import { promisify } from "node:util"
import { answerWithin } from "#core/supervision/AnswerWithin.ts"

/** An effect whose interruption takes until `end` is called. */
const stubborn = Effect.gen(function* () {
  const [begun, ended] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const effect = Effect.andThen(Deferred.succeed(begun, undefined), Effect.never).pipe(
    Effect.onInterrupt(() => Deferred.await(ended))
  )
  return { effect, begun: Deferred.await(begun), end: Deferred.succeed(ended, undefined) }
})
const late = () => Effect.succeed("late")

it.live("returns a result or an error in time", () =>
  Effect.gen(function* () {
    expect(yield* answerWithin(Effect.succeed("done"), Duration.seconds(5), late)).toBe("done")
    expect(yield* Effect.flip(answerWithin(Effect.fail("broken"), Duration.seconds(5), late))).toBe("broken")
  })
)

it.live("does not wait for the interrupted work, at a timeout or its own interruption", () =>
  Effect.gen(function* () {
    const first = yield* stubborn
    expect(yield* answerWithin(first.effect, Duration.millis(10), late)).toBe("late")
    const second = yield* stubborn
    const fiber = yield* Effect.forkChild(answerWithin(second.effect, Duration.seconds(60), late))
    yield* second.begun
    yield* Fiber.interrupt(fiber)
    yield* Effect.andThen(first.end, second.end)
  })
)

it.live("counts an answer that arrived while the process stood still", () =>
  Effect.gen(function* () {
    // Takes a millisecond or more in a thread, and so ends during the standstill.
    const work = promisify(pbkdf2)
    const answer = Effect.promise(() => {
      setImmediate(() => {
        const begun = performance.now()
        while (performance.now() - begun < 1_000);
      })
      return work("password", "salt", 5_000, 32, "sha256")
    })
    expect(yield* answerWithin(Effect.as(answer, "done"), Duration.millis(200), late)).toBe("done")
  })
)

it.live("interrupts work without a waiting caller", () =>
  Effect.gen(function* () {
    const taken = yield* Deferred.make<void>()
    yield* answerWithin(
      Effect.onInterrupt(Effect.never, () => Deferred.succeed(taken, undefined)),
      Duration.millis(10),
      late
    )
    yield* Deferred.await(taken)
    const again = yield* Deferred.make<void>()
    const begun = yield* Deferred.make<void>()
    const fiber = yield* Effect.forkChild(
      answerWithin(
        Effect.andThen(Deferred.succeed(begun, undefined), Effect.never).pipe(
          Effect.onInterrupt(() => Deferred.succeed(again, undefined))
        ),
        Duration.seconds(60),
        late
      )
    )
    yield* Deferred.await(begun)
    yield* Fiber.interrupt(fiber)
    yield* Deferred.await(again)
  })
)
