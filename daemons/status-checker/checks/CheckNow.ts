/** Requests to check at once, to whichever process checks. */
import { Duration, Effect } from "effect"
import { Wake } from "#core/events/Wake.ts"

/** Topic of core/events/Wake. */
const topic = "status-checker.check"

/**
 * Shortest time between two rounds of checks that people request. Unit: milliseconds. Reason: several people who ask
 * at the same moment share one round.
 */
const leastPause = 2_000

/** Requests a round of checks. In a transaction, or alone. */
export const requestChecks = Effect.flatMap(Wake, (wake) => wake.announce(topic))

/**
 * Runs `wanted` after each request. Also after a lost connection, which may have lost a request; a superfluous round
 * does no harm. `progress` runs at least every `tick` milliseconds.
 */
export const requests = (wanted: () => void, progress: Effect.Effect<void>, tick: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const wakeup = yield* (yield* Wake).subscribe(topic)
      let last = -leastPause
      while (true) {
        yield* progress
        if (!(yield* wakeup.wait(Duration.millis(tick)))) continue
        yield* Effect.sleep(Duration.millis(Math.max(0, last + leastPause - performance.now())))
        last = performance.now()
        wanted()
      }
    })
  )
