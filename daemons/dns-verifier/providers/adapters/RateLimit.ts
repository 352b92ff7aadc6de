/** Rate limit of one account in this process. Requests wait in the order of arrival. */
import { Effect } from "effect"
import * as OutboundHost from "#core/limits/OutboundHost.ts"
import type { Policy } from "#core/limits/TokenBucket.ts"
import { ProviderError } from "./Adapter.ts"

/** Longest wait. Unit: milliseconds. Reason: a longer wait fails at once, and the caller tries again later. */
export const longestTurn = 60_000

export interface RateLimit {
  /** Waits for the turn; fails with `rate_limited` at once when the wait would exceed `longestTurn`. */
  readonly turn: Effect.Effect<void, ProviderError>
}

export const make = (policy: Policy): RateLimit => {
  const host = OutboundHost.make({
    name: "the DNS provider",
    rates: (account) => [{ key: account, ...policy }],
    maxWait: longestTurn
  })
  return {
    turn: Effect.flatMap(host.take("account"), (turn) =>
      turn._tag === "Now"
        ? Effect.void
        : Effect.fail(
            new ProviderError({
              reason: "rate_limited",
              detail: "too many requests for this account; try again later",
              retryAfter: Math.ceil(turn.retryAfter)
            })
          )
    )
  }
}
