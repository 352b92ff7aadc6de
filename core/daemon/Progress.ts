/** Steps of a start, reported while it runs. Nothing is reported by default; `up` and `run` print the steps. */
import { Context, Effect } from "effect"

export const Progress = Context.Reference<(step: string) => Effect.Effect<void>>("signalbox/core/Progress", {
  defaultValue: () => () => Effect.void
})

/** Reports the step that begins now. */
export const step = (text: string): Effect.Effect<void> => Effect.flatMap(Progress, (report) => report(text))
