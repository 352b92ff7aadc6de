/**
 * Delay of the process's event loop, measured once for all daemons: each measurement wakes the process 10 times a
 * second, so one for each daemon would cost more than the rest of an idle process.
 */
import { Effect, type Scope } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"

/**
 * Sampling interval. Unit: milliseconds. Reason: half of the delay that degrades a daemon (200 ms), and few
 * wake-ups when idle.
 */
const resolution = 100

/** Shortest window. Unit: milliseconds. Reason: several readers at once share the window that has just ended. */
const shortestWindow = 1_000

/** Delays in a window that has ended. Unit: milliseconds. */
export interface Delays {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Reads the window that ends now, or the one before when it is shorter than `shortestWindow`. */
export type ReadDelays = () => Delays

interface Measurement {
  readonly histogram: ReturnType<typeof monitorEventLoopDelay>
  users: number
  since: number
  last: Delays
}

let shared: Measurement | undefined

/** Measures until the scope ends. */
export const measure: Effect.Effect<ReadDelays, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      shared ??= begin()
      shared.users += 1
      return shared
    }),
    (measurement) =>
      Effect.sync(() => {
        measurement.users -= 1
        if (measurement.users > 0) return
        measurement.histogram.disable()
        shared = undefined
      })
  ),
  (measurement) => () => read(measurement)
)

/**
 * Begins a new window without delays. Reason: the work of a start blocks the loop, and the first report after it would
 * call every daemon degraded.
 */
export const forgetStart: Effect.Effect<void> = Effect.sync(() => {
  if (shared === undefined) return
  shared.histogram.reset()
  shared.since = performance.now()
  shared.last = none
})

const none: Delays = { p50: 0, p99: 0, max: 0 }

const begin = (): Measurement => {
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  return { histogram, users: 0, since: Number.NEGATIVE_INFINITY, last: none }
}

const read = (measurement: Measurement): Delays => {
  const now = performance.now()
  if (now - measurement.since < shortestWindow) return measurement.last
  const { histogram } = measurement
  const delay = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution)
  if (histogram.count > 0)
    measurement.last = {
      p50: delay(histogram.percentile(50)),
      p99: delay(histogram.percentile(99)),
      max: delay(histogram.max)
    }
  histogram.reset()
  measurement.since = now
  return measurement.last
}
