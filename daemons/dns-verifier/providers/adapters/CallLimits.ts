/** How long and how often providers are asked. Tests set shorter times. */
import { Duration } from "effect"
import type { Backoff } from "#core/supervision/Backoff.ts"
import type { Rate } from "./RateLimit.ts"

export interface CallLimits {
  /** Tries of one call, the first among them. Reason: a hiccup; what lasts longer is the job's to repeat. */
  readonly tries: number
  /** Between tries where the provider asks for nothing else. */
  readonly backoff: Backoff
  /**
   * The longest wait that a provider may ask for within one of our operations. Reason: somebody waits; what takes
   * longer is told, and tried again.
   */
  readonly longestPause: Duration.Duration
  /** Between two looks at whether a change is done. */
  readonly actionEvery: Duration.Duration
  /** How long a change may take after it was accepted. Reason: a zone is published within seconds. */
  readonly actionWithin: Duration.Duration
  /** Whether the credentials are taken, and the list of zones: somebody is looking. */
  readonly list: Duration.Duration
  /**
   * Reading a whole zone, or writing one set with all its waits. Reason: 25,000 sets are 500 pages of a second each.
   */
  readonly operation: Duration.Duration
  /** By type. */
  readonly rates: { readonly provider_a: Rate; readonly provider_b: Rate; readonly provider_e: Rate }
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
    // 3,600 an hour and project, refilled one a second; half of a burst's worth is left to the customer's own tools.
    provider_a: { burst: 120, perSecond: 1 },
    // Not published; one a second is known to be taken.
    provider_b: { burst: 5, perSecond: 1 },
    // A server of somebody's own, with a database behind it.
    provider_e: { burst: 50, perSecond: 20 }
  }
}
