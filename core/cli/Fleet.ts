/**
 * The daemons there are, as commands find them. Loaded when asked for: `--help` and most operator commands need none.
 */
import { Context, Effect } from "effect"
import type { Daemon } from "../daemon/Daemon.ts"
import { exitUsage, fail } from "./Ending.ts"

export class Fleet extends Context.Service<Fleet, { readonly daemons: Effect.Effect<ReadonlyArray<Daemon>> }>()(
  "signalbox/core/cli/Fleet"
) {}

/** Every daemon. */
export const all = Effect.flatMap(Fleet, (fleet) => fleet.daemons)

/** The daemons of these names, each once, in the order of the fleet. An unknown name is the operator's mistake. */
export const named = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const daemons = yield* all
  const unknown = names.filter((name) => !daemons.some((daemon) => daemon.name === name))
  if (unknown.length > 0) {
    return yield* fail(
      `there is no daemon ${unknown.join(", ")}. There are: ${daemons.map((daemon) => daemon.name).join(", ")}`,
      exitUsage
    )
  }
  return daemons.filter((daemon) => names.includes(daemon.name))
})

/** Runs a part of the program that is loaded when it is needed. */
export const lazily = <M, A, E, R>(
  load: () => Promise<M>,
  use: (module: M) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => Effect.flatMap(Effect.promise(load), use)
