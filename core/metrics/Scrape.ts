/**
 * A scrape of `/metrics`: reads what has to be asked for, such as the depths of queues, and then formats all series.
 * Answers are kept for some seconds, so frequent scrapes do not load the database.
 */
import { Clock, Context, Duration, Effect, type Scope } from "effect"
import { answerWithin } from "../supervision/AnswerWithin.ts"
import * as Metrics from "./Metrics.ts"

/** How long the values of a collector are kept. Unit: milliseconds. Reason: Prometheus asks every 15 to 60 s. */
const keptFor = 5_000

/** Longest wait for one collector. Unit: seconds. Reason: Prometheus waits 10 s by default. */
const patience = Duration.seconds(2)

const failures = Metrics.counter("scrape_failures_total", {
  help: "Collectors that could not read their values in time, by daemon and collector. Their values are missing.",
  labels: ["daemon", "collector"]
})

interface Collector {
  readonly daemon: string
  readonly name: string
  readonly collect: Effect.Effect<unknown, unknown>
  /** Removes the values; stale values must not look current. */
  readonly clear: () => void
  at: number
}

/** Collectors of all daemons of the process. */
const collectors = new Set<Collector>()

/**
 * Adds a collector until the scope ends. `collect` sets gauges; `clear` removes their series, and is called when
 * `collect` fails or the scope ends. `daemon`: the daemon whose values they are.
 */
export const collector = <E, R>(options: {
  readonly daemon: string
  readonly name: string
  readonly collect: Effect.Effect<unknown, E, R>
  readonly clear: () => void
}): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.contextWith((context: Context.Context<R>) =>
    Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() => {
          const one: Collector = {
            daemon: options.daemon,
            name: options.name,
            collect: Effect.updateContext(options.collect, (current: Context.Context<never>) =>
              Context.merge(current, context)
            ),
            clear: options.clear,
            at: Number.NEGATIVE_INFINITY
          }
          collectors.add(one)
          return one
        }),
        (one) =>
          Effect.sync(() => {
            collectors.delete(one)
            one.clear()
          })
      )
    )
  )

/** The text of all metrics. Collectors that fail or are late leave their values out. */
export const text: Effect.Effect<string> = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  yield* Effect.forEach(
    [...collectors].filter(({ at }) => Math.abs(now - at) >= keptFor),
    (one) => {
      one.at = now
      const failed = Effect.sync(() => {
        one.clear()
        failures.add({ daemon: one.daemon, collector: one.name })
      })
      return answerWithin(
        Effect.catchCause(one.collect, () => failed),
        patience,
        () => failed
      )
    },
    { concurrency: 4, discard: true }
  )
  return Metrics.format()
})
