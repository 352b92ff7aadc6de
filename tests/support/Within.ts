/**
 * Waits that end. Effect's own time-out waits until what it interrupts has ended, which a stuck connection or finalizer
 * never does.
 */
import { Effect, Exit, Fiber, Scope } from "effect"

/** `effect`, or death with a sentence after `seconds`; what is too late is interrupted, and nobody waits for it. */
export const within = <A, E, R>(
  seconds: number,
  what: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkDetach(effect), (fiber) =>
    Fiber.join(fiber).pipe(
      Effect.timeoutOrElse({
        duration: seconds * 1000,
        orElse: () => Effect.die(new Error(`not within ${seconds} s: ${what}`))
      }),
      Effect.onExit(() => Effect.forkDetach(Fiber.interrupt(fiber)))
    )
  )

/** Looks every 20 ms until `look` is true; dies after `seconds`, also while a look gets no answer. */
export const untilWithin = <E, R>(
  seconds: number,
  what: string,
  look: Effect.Effect<boolean, E, R>
): Effect.Effect<void, E, R> =>
  within(
    seconds,
    what,
    Effect.gen(function* () {
      while (!(yield* look)) yield* Effect.sleep(20)
    })
  )

/**
 * `effect` in a scope of its own, for `seconds`; then what it opened has `teardown` seconds to close. Whatever happens
 * there, the first failure is the one that is told.
 */
export const scopedWithin = <A, E, R>(
  seconds: number,
  teardown: number,
  what: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, Exclude<R, Scope.Scope>> =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const ended = yield* Effect.exit(within(seconds, what, Scope.provide(effect, scope)))
    const closed = yield* Effect.exit(
      within(teardown, `${what}: what it had opened is closed`, Scope.close(scope, ended))
    )
    if (Exit.isSuccess(ended)) yield* closed
    return yield* ended
  })
