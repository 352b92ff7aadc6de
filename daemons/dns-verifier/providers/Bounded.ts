/** Puts an end to an operation that waits for others. */
import { type Duration, Effect } from "effect"
import { ProviderError } from "./Adapter.ts"

/** `unavailable` after `within`: what was begun may have been done. */
export const bounded = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  within: Duration.Duration,
  title: string
): Effect.Effect<A, E | ProviderError, R> =>
  Effect.timeoutOrElse(effect, {
    duration: within,
    orElse: () =>
      Effect.fail(new ProviderError({ reason: "unavailable", detail: `${title}: it took too long`, retryAfter: null }))
  })
