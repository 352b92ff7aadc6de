/** Rate limit of one account in this process. Requests wait in the order of arrival. */
import { Clock, Effect } from "effect"
import { type Policy, TokenBucket } from "#core/limits/TokenBucket.ts"
import { ProviderError } from "./Adapter.ts"

/** Longest wait. Unit: milliseconds. Reason: a longer wait fails at once, and the caller tries again later. */
export const longestTurn = 60_000

export interface RateLimit {
  /** Waits for the turn; fails with `rate_limited` at once when the wait would exceed `longestTurn`. */
  readonly turn: Effect.Effect<void, ProviderError>
}

export const make = (policy: Policy): RateLimit => {
  const bucket = new TokenBucket(policy, 0)
  return {
    turn: Effect.gen(function* () {
      const wait = bucket.take(1, yield* Clock.currentTimeMillis, longestTurn)
      if (wait > longestTurn) {
        return yield* new ProviderError({
          reason: "rate_limited",
          detail: "too many requests for this account; try again later",
          retryAfter: Math.ceil(wait)
        })
      }
      if (wait > 0) yield* Effect.sleep(wait)
    })
  }
}
