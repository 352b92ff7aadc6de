/** House-keeping: a placed actor that does one round after another, one in the fleet. */
import { Duration, Effect, type Scope } from "effect"
import { Actor, type ActorSpec } from "./Supervisor.ts"

/**
 * `round` answers in a few words what it did, for `/health`; it is stalled when three rounds' time brings no progress.
 */
export const periodic = <E, R>(options: {
  readonly name: string
  /** Between two rounds. */
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
