/** A placed actor that repeats a maintenance task at an interval, in one process of the fleet. */
import { Duration, Effect, type Scope } from "effect"
import { Actor, type ActorSpec } from "./Supervisor.ts"

/** `round` returns a short text for `/health`. The actor counts as stalled after three intervals without progress. */
export const periodic = <E, R>(options: {
  readonly name: string
  /** Pause between two rounds. */
  readonly every: Duration.Duration
  readonly round: Effect.Effect<string, E, R>
}): ActorSpec<Exclude<R, Actor | Scope.Scope>> => ({
  name: options.name,
  placed: true,
  stallAfter: Duration.times(options.every, 3),
  run: Effect.gen(function* () {
    const actor = yield* Actor
    while (true) {
      yield* actor.progress
      yield* actor.note(`last round ${yield* options.round}`)
      yield* Effect.sleep(options.every)
    }
  }) as ActorSpec<Exclude<R, Actor | Scope.Scope>>["run"]
})
