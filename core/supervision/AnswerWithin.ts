/**
 * A time-out that does not wait for the interrupted effect. An interrupted statement ends only when its server answers,
 * and a hanging server never does. The caller gets its answer at once, and the interrupted effect ends in the
 * background.
 */
import { type Duration, Effect, Fiber } from "effect"

/** The effect's result, or `orElse` after `limit`. Interrupting the caller does not wait for the effect either. */
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
