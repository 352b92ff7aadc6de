/**
 * Timeouts that do not wait for the interrupted work. Effect's own timeout waits until the interrupted effect has
 * ended, which never happens with a stuck connection or finalizer.
 */
import { Effect, Exit, Fiber, Scope } from "effect"
import { pollPause } from "./PollPause.ts"

/** What was waited for. A function is called at the timeout, for a message with the state of that time. */
export type What = string | (() => string)

const textOf = (what: What) => (typeof what === "string" ? what : what())

/** Runs `effect`; dies with a message after `seconds`. A late effect is interrupted in the background. */
export const within = <A, E, R>(seconds: number, what: What, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkDetach(effect), (fiber) =>
    Fiber.join(fiber).pipe(
      Effect.timeoutOrElse({
        duration: seconds * 1000,
        orElse: () => Effect.suspend(() => Effect.die(new Error(`not within ${seconds} s: ${textOf(what)}`)))
      }),
      Effect.onExit(() => Effect.forkDetach(Fiber.interrupt(fiber)))
    )
  )

/** Looks again and again until `look` is true. Dies after `seconds`, even while a `look` hangs. */
export const untilWithin = <E, R>(
  seconds: number,
  what: What,
  look: Effect.Effect<boolean, E, R>
): Effect.Effect<void, E, R> =>
  within(
    seconds,
    what,
    Effect.gen(function* () {
      const from = performance.now()
      while (!(yield* look)) yield* Effect.sleep(pollPause(performance.now() - from))
    })
  )

/**
 * Runs `effect` in its own scope for at most `seconds`. The scope then has `teardown` seconds to close. When both fail,
 * the failure of `effect` is reported.
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
