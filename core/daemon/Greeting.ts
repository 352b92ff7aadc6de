/** Lines that `signalbox up` prints when everything is ready, such as the sign-in link of the first administrator. */
import { Context, Effect, Layer } from "effect"

/** Creates the lines. `base`: address at which the daemon's paths are reachable. */
export type Lines = (base: string) => Effect.Effect<ReadonlyArray<string>>

export class Greeting extends Context.Service<
  Greeting,
  {
    readonly add: (lines: Lines) => Effect.Effect<void>
    /** All lines, in the order of registration. */
    readonly lines: Lines
  }
>()("signalbox/core/Greeting") {
  /** Registers lines of the feature that is being built. */
  static readonly add = <R>(
    lines: (base: string) => Effect.Effect<ReadonlyArray<string>, never, R>
  ): Effect.Effect<void, never, R | Greeting> =>
    Effect.contextWith((context: Context.Context<R | Greeting>) =>
      Context.get(context, Greeting).add((base) =>
        Effect.updateContext(lines(base), (current: Context.Context<never>) => Context.merge(current, context))
      )
    )
}

export const layer: Layer.Layer<Greeting> = Layer.sync(Greeting, () => {
  const all: Array<Lines> = []
  return Greeting.of({
    add: (lines) => Effect.sync(() => void all.push(lines)),
    lines: (base) =>
      Effect.map(
        Effect.forEach(all, (lines) => lines(base)),
        (groups) => groups.flat()
      )
  })
})
