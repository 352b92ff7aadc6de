/** Calls a provider within the account's rate, with retries where a retry is safe and can help. */
import { Clock, Duration, Effect, Random, Result } from "effect"
import * as Backoff from "#core/supervision/Backoff.ts"
import { ProviderError } from "./Adapter.ts"
import type { CallLimits } from "./CallLimits.ts"
import type { RateLimit } from "./RateLimit.ts"

/** Properties that the errors of all clients have in common. */
export interface CallError {
  /** Whether repeating the call is safe and can succeed. */
  readonly repeatable: boolean
  /** Pause that the provider requests. Unit: milliseconds. */
  readonly retryAfter: number | undefined
}

export type Calls = <A, E extends CallError>(call: Effect.Effect<A, E>) => Effect.Effect<A, E | ProviderError>

export const make = (rate: RateLimit, { backoff, longestPause, tries }: CallLimits): Calls =>
  Effect.fnUntraced(function* <A, E extends CallError>(call: Effect.Effect<A, E>) {
    for (let attempt = 1; ; attempt++) {
      yield* rate.turn
      const result = yield* Effect.result(call)
      if (Result.isSuccess(result)) return result.success
      const error = result.failure
      const wait = error.retryAfter ?? Duration.toMillis(Backoff.delay(backoff, attempt, yield* Random.next))
      if (!error.repeatable || attempt >= tries || wait > Duration.toMillis(longestPause))
        return yield* Effect.fail(error)
      yield* Effect.sleep(wait)
    }
  })

/** Polls until the answer is defined; undefined when `within` has passed. */
export const until = Effect.fnUntraced(function* <A, E>(
  ask: Effect.Effect<A | undefined, E>,
  every: Duration.Duration,
  within: Duration.Duration
) {
  const end = (yield* Clock.currentTimeMillis) + Duration.toMillis(within)
  while (true) {
    yield* Effect.sleep(every)
    const answer = yield* ask
    if (answer !== undefined) return answer
    if ((yield* Clock.currentTimeMillis) >= end) return undefined
  }
})

/** Fails with `unavailable` after `within`; the operation may still have taken effect. */
export const withTimeLimit = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  within: Duration.Duration,
  title: string
): Effect.Effect<A, E | ProviderError, R> =>
  Effect.timeoutOrElse(effect, {
    duration: within,
    orElse: () =>
      Effect.fail(new ProviderError({ reason: "unavailable", detail: `${title}: timed out`, retryAfter: null }))
  })
