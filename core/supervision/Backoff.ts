/**
 * Named pauses between attempts. A loop names its policy instead of writing numbers, so logs, health pages and tests
 * use the same word.
 */
import { Duration, Effect, Schedule } from "effect"

/**
 * A pause that doubles from `base` up to `max`. `jitter` spreads it in both directions, so that many clients do not
 * retry together.
 */
export interface Backoff {
  readonly name: string
  readonly base: Duration.Duration
  readonly max: Duration.Duration
  /** Share of the wait, 0 to 1. */
  readonly jitter: number
}

/** For actors that fail on a condition of the environment: short at first, at most 10 s. */
export const standard: Backoff = {
  name: "standard",
  base: Duration.millis(200),
  max: Duration.seconds(10),
  jitter: 0.2
}

/** For peers that count attempts, such as mail servers that penalise failed logins: starts at 2 s, at most 60 s. */
export const polite: Backoff = { name: "polite", base: Duration.seconds(2), max: Duration.seconds(60), jitter: 0.3 }

/** For database connections and listeners, which must recover within seconds. At most 1 s. */
export const eager: Backoff = { name: "eager", base: Duration.millis(100), max: Duration.seconds(1), jitter: 0.2 }

/** The wait before try number `attempt` (1 = first repetition). `random` is 0 to 1. */
export const delay = (policy: Backoff, attempt: number, random: number): Duration.Duration => {
  const doubled = Duration.toMillis(policy.base) * 2 ** Math.min(Math.max(attempt, 1) - 1, 30)
  const bounded = Math.min(doubled, Duration.toMillis(policy.max))
  return Duration.millis(Math.round(bounded * (1 + policy.jitter * (2 * random - 1))))
}

/** The same waits as an Effect schedule that never gives up, for `Effect.retry` inside an actor. */
export const schedule = (policy: Backoff): Schedule.Schedule<unknown> =>
  Schedule.exponential(policy.base).pipe(
    Schedule.modifyDelay(({ duration }) => Effect.succeed(Duration.min(duration, policy.max))),
    Schedule.jittered
  )
