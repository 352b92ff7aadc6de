/**
 * A time-out that does not wait for the interrupted effect. An interrupted statement ends only when its server answers,
 * and a hanging server never does. The caller gets its answer at once, and the interrupted effect ends in the
 * background.
 */
import { type Duration, Effect, Fiber } from "effect"

/** Maximum turns of the event loop until an answer that has already arrived is read, parsed and passed on. */
const turns = 20

/**
 * Lets answers in that have already arrived. After a standstill of the process Node runs the timers of all expired
 * limits before it reads from any socket. So a limit awaits this before it counts as exceeded. Ends early when
 * `isThere`.
 */
export const arrivedAnswers = async (isThere: () => boolean): Promise<void> => {
  for (let turn = 0; turn < turns && !isThere(); turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** The effect's result, or `orElse` after `limit`. Interrupting the caller does not wait for the effect either. */
export const answerWithin = <A, E, R, B, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  limit: Duration.Duration,
  orElse: () => Effect.Effect<B, E2, R2>
): Effect.Effect<A | B, E | E2, R | R2> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDetach(restore(effect)), (fiber) => {
      const leave = Effect.sync(() => fiber.interruptUnsafe())
      const late = Effect.flatMap(
        Effect.promise(() => arrivedAnswers(() => fiber.pollUnsafe() !== undefined)),
        (): Effect.Effect<A | B, E | E2, R2> => fiber.pollUnsafe() ?? Effect.andThen(leave, orElse())
      )
      return restore(Effect.timeoutOrElse(Fiber.join(fiber), { duration: limit, orElse: () => late })).pipe(
        Effect.onInterrupt(() => leave)
      )
    })
  )
