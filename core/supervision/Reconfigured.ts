/** Runs the connection of an actor with the present settings, and again with others when they change. */
import { Effect } from "effect"
import { untilReplaced } from "../settings/LiveSettings.ts"
import { Actor } from "./Supervisor.ts"

/**
 * `values`: the settings that the connection is made with, read from memory. `connection`: runs until it fails, with
 * the settings of its start; undefined: not configured. A change ends it and begins the next one.
 */
export const reconfigured = <E, R>(
  values: () => ReadonlyArray<unknown>,
  connection: () => Effect.Effect<never, E, R> | undefined
): Effect.Effect<never, E, R | Actor> =>
  Effect.gen(function* () {
    const actor = yield* Actor
    while (true) {
      const changed = untilReplaced(values, actor.progress)
      const current = connection()
      yield* actor.note(current === undefined ? "not configured" : "configured")
      yield* current === undefined ? changed : Effect.raceFirst(current, changed)
    }
  })
