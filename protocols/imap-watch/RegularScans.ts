/** Repeats the scan of a mailbox. */
import { Duration, Effect, Fiber, type Scope } from "effect"

/**
 * Scans in this interval until the scope ends or a scan fails; calls `failed` then. A timer waits between scans, and a
 * fiber exists only during a scan, because a waiting fiber takes 5 KB per connection.
 */
export const scanRegularly = <E>(
  scan: Effect.Effect<void, E>,
  interval: Duration.Duration,
  failed: () => void
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fork = Effect.runForkWith(yield* Effect.context<never>())
    let timer: NodeJS.Timeout
    let scanning: Fiber.Fiber<void, E> | undefined
    const rest = () => {
      scanning = undefined
      timer = setTimeout(() => {
        scanning = fork(scan)
        scanning.addObserver((exit) => (exit._tag === "Success" ? rest() : failed()))
      }, Duration.toMillis(interval))
    }
    rest()
    yield* Effect.addFinalizer(() => {
      clearTimeout(timer)
      return scanning === undefined ? Effect.void : Fiber.interrupt(scanning)
    })
  })
