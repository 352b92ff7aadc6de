/**
 * Gives commands the list of all daemons. The list is loaded on demand, because `--help` and most operator commands do
 * not need it.
 */
import { Context, Effect } from "effect"
import type { Daemon } from "../daemon/Daemon.ts"
import { exitUsage, fail } from "./Ending.ts"

export class Fleet extends Context.Service<Fleet, { readonly daemons: Effect.Effect<ReadonlyArray<Daemon>> }>()(
  "signalbox/core/cli/Fleet"
) {}

/** All daemons. */
export const all = Effect.flatMap(Fleet, (fleet) => fleet.daemons)

/** The daemons with these names, without duplicates, in the order of the fleet. An unknown name is a usage error. */
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

/** Imports a module at first use and passes it to `use`. */
export const lazily = <M, A, E, R>(
  load: () => Promise<M>,
  use: (module: M) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => Effect.flatMap(Effect.promise(load), use)
