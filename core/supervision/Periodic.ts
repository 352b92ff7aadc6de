/** A placed actor that repeats a maintenance task at an interval, in one process of the fleet. */
import { Duration, Effect, type Scope } from "effect"
import { CurrentDaemon } from "../metrics/CurrentDaemon.ts"
import * as Metrics from "../metrics/Metrics.ts"
import { Actor, type ActorSpec } from "./Supervisor.ts"

const rounds = Metrics.counter("sweep_rounds_total", {
  help: "Rounds of periodic upkeep, by daemon, sweep and outcome: done or failed.",
  labels: ["daemon", "sweep", "outcome"]
})
const duration = Metrics.gauge("sweep_last_duration_seconds", {
  help: "Duration of the last completed round of periodic upkeep.",
  labels: ["daemon", "sweep"]
})
const lastDone = Metrics.gauge("sweep_last_success_timestamp_seconds", {
  help: "Time at which the last round of periodic upkeep was completed in this process, in seconds since 1970.",
  labels: ["daemon", "sweep"]
})

/** `round` returns a short text for `/health`. The actor counts as stalled after three intervals without progress. */
export const periodic = <E, R, R2 = never>(options: {
  readonly name: string
  /** Pause between two rounds. */
  readonly every: Duration.Duration
  /**
   * Runs before each round. The effect that it returns begins the next round when it completes during the pause; it
   * compares with what was there before the round, so a change during the round counts too.
   */
  readonly early?: Effect.Effect<Effect.Effect<void, never, R2>, never, R2>
  readonly round: Effect.Effect<string, E, R>
}): ActorSpec<Exclude<R | R2, Actor | Scope.Scope>> => ({
  name: options.name,
  placed: true,
  stallAfter: Duration.times(options.every, 3),
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const daemon = yield* CurrentDaemon
    const its = { daemon, sweep: options.name }
    const round = measured(its, options.round).pipe(Effect.withSpan(`${daemon}.sweep`, { attributes: its }))
    while (true) {
      yield* actor.progress
      const early = yield* options.early ?? Effect.succeed(Effect.never)
      yield* actor.note(`last round ${yield* round}`)
      yield* Effect.raceFirst(Effect.sleep(options.every), early)
    }
  }) as ActorSpec<Exclude<R | R2, Actor | Scope.Scope>>["run"]
})

const measured = <A, E, R>(
  its: { readonly daemon: string; readonly sweep: string },
  round: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const begun = performance.now()
    return round.pipe(
      Effect.tap(() =>
        Effect.sync(() => {
          rounds.add({ ...its, outcome: "done" })
          duration.set(its, (performance.now() - begun) / 1_000)
          lastDone.set(its, Date.now() / 1_000)
        })
      ),
      Effect.tapCause(() => Effect.sync(() => rounds.add({ ...its, outcome: "failed" })))
    )
  })
