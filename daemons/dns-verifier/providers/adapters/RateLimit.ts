/** How often an account may be asked by this process. Requests wait for their turn, in the order in which they come. */
import { Clock, Effect } from "effect"
import { ProviderError } from "./Adapter.ts"

export interface Rate {
  /** Requests that may come at once after a rest. */
  readonly burst: number
  /** Unit: requests a second, in the long run. */
  readonly perSecond: number
}

/** Longest wait for a turn. Unit: milliseconds. Reason: who waits longer is better told so, and comes again. */
export const longestTurn = 60_000

export interface RateLimit {
  /** Fails with `rate_limited` at once when the turn would be later than `longestTurn`. */
  readonly turn: Effect.Effect<void, ProviderError>
}

export const make = ({ burst, perSecond }: Rate): RateLimit => {
  const interval = 1_000 / perSecond
  /** When everything that was let through is worked off at the long-run pace. Unit: milliseconds since 1970. */
  let workedOff = 0
  return {
    turn: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const next = Math.max(workedOff, now) + interval
      const wait = next - now - burst * interval
      if (wait > longestTurn) {
        return yield* new ProviderError({
          reason: "rate_limited",
          detail: "too much is being asked of this account; try again later",
          retryAfter: Math.ceil(wait)
        })
      }
      workedOff = next
      if (wait > 0) yield* Effect.sleep(wait)
    })
  }
}
