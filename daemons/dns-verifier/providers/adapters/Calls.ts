/** Calls of a provider's interface at the account's pace, repeated where that can help and can do no harm. */
import { Clock, Duration, Effect, Random, Result } from "effect"
import * as Backoff from "#core/supervision/Backoff.ts"
import { ProviderError } from "./Adapter.ts"
import type { CallLimits } from "./CallLimits.ts"
import type { RateLimit } from "./RateLimit.ts"

/** What all protocols' errors tell. */
export interface CallError {
  /** Whether the same call may be made once more, and could succeed. */
  readonly repeatable: boolean
  /** Unit: milliseconds that the other side asks for. */
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

/** Asks every `every` until the answer is not undefined; undefined when `within` has passed. */
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

/** `unavailable` after `within`: what was begun may have been done. */
export const withTimeLimit = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  within: Duration.Duration,
  title: string
): Effect.Effect<A, E | ProviderError, R> =>
  Effect.timeoutOrElse(effect, {
    duration: within,
    orElse: () =>
      Effect.fail(new ProviderError({ reason: "unavailable", detail: `${title}: it took too long`, retryAfter: null }))
  })
