/** A placed actor that repeats a maintenance task at an interval, in one process of the fleet. */
import { Duration, Effect, type Scope } from "effect"
import { Actor, type ActorSpec } from "./Supervisor.ts"

/** `round` returns a short text for `/health`. The actor counts as stalled after three intervals without progress. */
export const periodic = <E, R, R2 = never>(options: {
  readonly name: string
  /** Pause between two rounds. */
  readonly every: Duration.Duration
  /** Begins the next round when it completes during a pause. */
  readonly early?: Effect.Effect<void, never, R2>
  readonly round: Effect.Effect<string, E, R>
}): ActorSpec<Exclude<R | R2, Actor | Scope.Scope>> => ({
  name: options.name,
  placed: true,
  stallAfter: Duration.times(options.every, 3),
  run: Effect.gen(function* () {
    const actor = yield* Actor
    while (true) {
      yield* actor.progress
      yield* actor.note(`last round ${yield* options.round}`)
      yield* Effect.raceFirst(Effect.sleep(options.every), options.early ?? Effect.never)
    }
  }) as ActorSpec<Exclude<R | R2, Actor | Scope.Scope>>["run"]
})
