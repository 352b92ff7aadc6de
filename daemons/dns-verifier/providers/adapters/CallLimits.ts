/** Time limits, retries and rates of provider calls. Tests use shorter times. */
import { Duration } from "effect"
import type { Backoff } from "#core/supervision/Backoff.ts"
import type { Policy } from "#core/limits/TokenBucket.ts"

export interface CallLimits {
  /** Attempts of one call. Reason: bridges a short disturbance; the job repeats after longer ones. */
  readonly tries: number
  /** Backoff between attempts when the provider names no time. */
  readonly backoff: Backoff
  /**
   * Longest pause that a provider may request within one operation. Reason: a user waits; a longer pause fails and the
   * job tries later.
   */
  readonly longestPause: Duration.Duration
  /** Interval of polling for the end of a change. */
  readonly actionEvery: Duration.Duration
  /** Time limit for an accepted change. Reason: providers publish within seconds. */
  readonly actionWithin: Duration.Duration
  /** Time limit for tests and lists of zones, while a user waits. */
  readonly list: Duration.Duration
  /** Time limit for reading a zone or writing a set. Reason: 25,000 sets are 500 pages of a second each. */
  readonly operation: Duration.Duration
  /** Rates by provider type. */
  readonly rates: { readonly provider_a: Policy; readonly provider_b: Policy; readonly provider_e: Policy }
}

export const callLimits: CallLimits = {
  tries: 4,
  backoff: { name: "provider", base: Duration.millis(500), max: Duration.seconds(8), jitter: 0.2 },
  longestPause: Duration.seconds(30),
  actionEvery: Duration.seconds(1),
  actionWithin: Duration.seconds(60),
  list: Duration.seconds(60),
  operation: Duration.minutes(10),
  rates: {
    // Hetzner allows 3,600 an hour per project and refills one a second. Half of a burst is left to the customer's own
    // tools.
    provider_a: { burst: 120, perSecond: 1 },
    // IONOS publishes no limit; one a second is known to work.
    provider_b: { burst: 5, perSecond: 1 },
    // The customer's own server with a database behind it.
    provider_e: { burst: 50, perSecond: 20 }
  }
}
