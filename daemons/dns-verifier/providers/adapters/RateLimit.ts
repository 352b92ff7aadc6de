/** Rate limit of one account in this process. Requests wait in the order of arrival. */
import { Clock, Effect } from "effect"
import { ProviderError } from "./Adapter.ts"

export interface Rate {
  /** Requests that may start at once after a pause. */
  readonly burst: number
  /** Sustained rate. Unit: requests per second. */
  readonly perSecond: number
}

/** Longest wait. Unit: milliseconds. Reason: a longer wait fails at once, and the caller tries again later. */
export const longestTurn = 60_000

export interface RateLimit {
  /** Waits for the turn; fails with `rate_limited` at once when the wait would exceed `longestTurn`. */
  readonly turn: Effect.Effect<void, ProviderError>
}

export const make = ({ burst, perSecond }: Rate): RateLimit => {
  const interval = 1_000 / perSecond
  /** Time at which the admitted requests are worked off at the sustained rate. Unit: milliseconds since 1970. */
  let workedOff = 0
  return {
    turn: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const next = Math.max(workedOff, now) + interval
      const wait = next - now - burst * interval
      if (wait > longestTurn) {
        return yield* new ProviderError({
          reason: "rate_limited",
          detail: "too many requests for this account; try again later",
          retryAfter: Math.ceil(wait)
        })
      }
      workedOff = next
      if (wait > 0) yield* Effect.sleep(wait)
    })
  }
}
