/**
 * Gives commands the daemons. Their code is loaded on demand, because `--help` and most operator commands need none of
 * it, and `run` only that of its daemons: a process of one daemon has 30 to 40 MB less in memory than with the
 * code of all, and starts with 0.4 s less of processor time.
 */
import { Context, Effect } from "effect"
import type { Daemon } from "../daemon/Daemon.ts"
import type { KnownDaemon } from "../daemon/KnownDaemons.ts"
import { exitUsage, fail } from "./Ending.ts"

/** Daemons of which a process loads only some. */
export interface Parts {
  /** All daemons as far as they are known without their code. */
  readonly known: () => ReadonlyArray<KnownDaemon>
  /** Loads the daemon of this name, which exists. */
  readonly load: (name: string) => Promise<Daemon>
}

export class Fleet extends Context.Service<
  Fleet,
  {
    readonly daemons: Effect.Effect<ReadonlyArray<Daemon>>
    /** Undefined: `run` loads the code of all. */
    readonly parts?: Parts | undefined
  }
>()("signalbox/core/cli/Fleet") {}

/** All daemons. */
export const all = Effect.flatMap(Fleet, (fleet) => fleet.daemons)

/** All daemons as far as they are known without their code. */
export const members: Effect.Effect<ReadonlyArray<KnownDaemon>, never, Fleet> = Effect.flatMap(
  Fleet,
  ({ daemons, parts }) => (parts === undefined ? daemons : Effect.sync(parts.known))
)

/**
 * Those of `daemons` with these names, without duplicates, in the order of the fleet. An unknown name is a usage error.
 */
const among = Effect.fnUntraced(function* <D extends KnownDaemon>(
  daemons: ReadonlyArray<D>,
  names: ReadonlyArray<string>
) {
  const unknown = names.filter((name) => !daemons.some((daemon) => daemon.name === name))
  if (unknown.length > 0) {
    return yield* fail(
      `there is no daemon ${unknown.join(", ")}. There are: ${daemons.map((daemon) => daemon.name).join(", ")}`,
      exitUsage
    )
  }
  return daemons.filter((daemon) => names.includes(daemon.name))
})

/** The daemons with these names; loads the code of all. */
export const named = (names: ReadonlyArray<string>) => Effect.flatMap(all, (daemons) => among(daemons, names))

/**
 * The daemons with these names, for a process that runs them, and the whole fleet. Loads the code of all daemons only
 * when one of these shows all.
 */
export const running = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const { daemons, parts } = yield* Fleet
  const fleet = yield* members
  const chosen = yield* among(fleet, names)
  if (parts === undefined || chosen.some(({ showsAll }) => showsAll)) {
    const everything = yield* daemons
    return { daemons: yield* among(everything, names), fleet: everything as typeof fleet }
  }
  const loaded = yield* Effect.promise(() => Promise.all(chosen.map(({ name }) => parts.load(name))))
  return { daemons: loaded, fleet: fleet.map((member) => loaded.find(({ name }) => name === member.name) ?? member) }
})

/** Imports a module at first use and passes it to `use`. */
export const lazily = <M, A, E, R>(
  load: () => Promise<M>,
  use: (module: M) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => Effect.flatMap(Effect.promise(load), use)
