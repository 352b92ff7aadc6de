/** Lines that `signalbox up` prints when everything is ready, such as the sign-in link of the first administrator. */
import { Context, Effect, Layer } from "effect"

/** Kinds of lines, in the order in which they are printed. The kind is the label of the line. */
export const kinds = ["console", "sign-in link", "status page", "edge", "edge link", "SMTP"] as const
export type Kind = (typeof kinds)[number]

/** One line: its label, and what it says. */
export interface Line {
  readonly kind: Kind
  readonly text: string
}

/** Where the daemon's paths are reachable. */
export interface Place {
  /** Base address without a trailing slash. */
  readonly base: string
  /** Whether the base address is a gateway's, so that the paths of other daemons, such as the console, exist there. */
  readonly gateway: boolean
}

/** Creates the lines. */
export type Lines = (place: Place) => Effect.Effect<ReadonlyArray<Line>>

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
    lines: (place: Place) => Effect.Effect<ReadonlyArray<Line>, never, R>
  ): Effect.Effect<void, never, R | Greeting> =>
    Effect.contextWith((context: Context.Context<R | Greeting>) =>
      Context.get(context, Greeting).add((place) =>
        Effect.updateContext(lines(place), (current: Context.Context<never>) => Context.merge(current, context))
      )
    )
}

export const layer: Layer.Layer<Greeting> = Layer.sync(Greeting, () => {
  const all: Array<Lines> = []
  return Greeting.of({
    add: (lines) => Effect.sync(() => void all.push(lines)),
    lines: (place) =>
      Effect.map(
        Effect.forEach(all, (lines) => lines(place)),
        (groups) => groups.flat()
      )
  })
})
