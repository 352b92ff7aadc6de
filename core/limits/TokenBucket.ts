/**
 * Token bucket: a rate limit in memory. It holds at most `burst` tokens and gains `perSecond` tokens a second. Time is
 * an argument; its unit is milliseconds of any steady clock or since 1970. Not shared between processes.
 *
 * Why not `RateLimiter` of effect 4.1: callers that handle frames and packets are plain functions, and one of its calls
 * is an effect with a store. Measured with `npm run bench -- limits`: a token costs less than 1 µs, there 17 to 23 µs.
 */
import { Clock, Effect } from "effect"

/** A named rate limit. */
export interface Policy {
  /** Tokens of a full bucket: what may pass at once after a rest. */
  readonly burst: number
  /** Unit: tokens per second, in the long run. */
  readonly perSecond: number
}

export class TokenBucket {
  readonly #policy: Policy
  #tokens: number
  #at: number

  /** A full bucket. */
  constructor(policy: Policy, now: number) {
    this.#policy = policy
    this.#tokens = policy.burst
    this.#at = now
  }

  /** Takes one token and returns 0, or takes none and returns the time until one is there. Unit: milliseconds. */
  tryTake(now: number): number {
    this.#refill(now)
    const wait = this.#millisecondsFor(1 - this.#tokens)
    if (wait === 0) this.#tokens -= 1
    return wait
  }

  /**
   * Takes `count` tokens, even when they are not there yet. Returns the time until the bucket has gained them, for
   * which the caller waits; later callers wait longer. Takes nothing when the wait exceeds `longest`. Unit:
   * milliseconds.
   */
  take(count: number, now: number, longest: number = Infinity): number {
    this.#refill(now)
    const wait = this.#millisecondsFor(count - this.#tokens)
    if (wait <= longest) this.#tokens -= count
    return wait
  }

  /** Time from `now` until the bucket has `count` tokens. Takes nothing. Unit: milliseconds. */
  waitFor(count: number, now: number): number {
    return this.#millisecondsFor(count - this.#tokensAt(now))
  }

  #tokensAt(now: number): number {
    // A clock that was set back must not take tokens away.
    const gained = (Math.max(0, now - this.#at) / 1000) * this.#policy.perSecond
    return Math.min(this.#policy.burst, this.#tokens + gained)
  }

  #refill(now: number): void {
    this.#tokens = this.#tokensAt(now)
    this.#at = now
  }

  #millisecondsFor(missing: number): number {
    return missing <= 0 ? 0 : (missing / this.#policy.perSecond) * 1000
  }
}

/** Takes `count` tokens and waits until the bucket has gained them. The times of the bucket are those of `Clock`. */
export const awaitTokens = (bucket: TokenBucket, count: number = 1): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const wait = bucket.take(count, now)
    return wait > 0 ? Effect.sleep(wait) : Effect.void
  })
