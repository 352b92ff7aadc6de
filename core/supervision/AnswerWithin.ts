/**
 * A time-out that does not wait for what it takes back. A statement that is interrupted ends when its server has taken
 * note of that, and one that hangs takes no note: whoever is asked meanwhile has to answer all the same. What was taken
 * back ends behind.
 */
import { type Duration, Effect, Fiber } from "effect"

/** The effect's outcome, or `orElse` once `limit` has passed. Whoever interrupts this does not wait either. */
export const answerWithin = <A, E, R, B, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  limit: Duration.Duration,
  orElse: () => Effect.Effect<B, E2, R2>
): Effect.Effect<A | B, E | E2, R | R2> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDetach(restore(effect)), (fiber) => {
      const leave = Effect.sync(() => fiber.interruptUnsafe())
      return restore(
        Effect.timeoutOrElse(Fiber.join(fiber), { duration: limit, orElse: () => Effect.andThen(leave, orElse()) })
      ).pipe(Effect.onInterrupt(() => leave))
    })
  )
