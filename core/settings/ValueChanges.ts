/**
 * Signal of a process that stored settings may have other values. It lets loops wait for a change instead of comparing
 * values in memory several times a second.
 */
import { Duration, Effect } from "effect"

let version = 0
const waiting = new Set<() => void>()

/** Number that grows with each change. Read it before the values: a change in between then ends the wait at once. */
export const valuesVersion = (): number => version

/** Wakes all who wait. For the code that holds the values. */
export const tellValuesChanged = (): void => {
  version += 1
  // Iterates over a copy, because a woken waiter may wait again at once.
  const woken = Array.from(waiting)
  for (const wake of woken) wake()
}

/** Waits until a change after `seen`, at most `atMost`. */
export const untilValuesChange = (seen: number, atMost: Duration.Duration): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (version !== seen) return resume(Effect.void)
    const stop = () => {
      clearTimeout(timer)
      waiting.delete(wake)
    }
    const wake = () => {
      stop()
      resume(Effect.void)
    }
    const timer = setTimeout(wake, Duration.toMillis(atMost))
    waiting.add(wake)
    return Effect.sync(stop)
  })
