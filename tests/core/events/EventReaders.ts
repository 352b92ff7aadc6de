/** Event types, writers and readers that the tests of the outbox share. */
import { Effect, Schema } from "effect"
import * as Events from "#core/events/Events.ts"
import { run } from "#support/Frame.ts"

export const Counted = Events.define("probe.counted", Schema.Struct({ n: Schema.Number }))
export const Other = Events.define("other.thing", Schema.Struct({}))

/** Emits a counted event. */
export const emit = (n: number) => Effect.flatMap(Events.Events, (events) => events.emit(Counted, "test", { n }))

/** The numbers of counted events, in their order. */
export const numbers = (seen: ReadonlyArray<Events.Event>) => seen.map((event) => (event.data as { n: number }).n)

/** Declares a reader of `probe.*` from the beginning, which collects its events in `seen`. */
export const declare = (seen: Array<Events.Event>, options: Partial<Events.Consumer<never>> = {}) =>
  Effect.map(Events.Events, (events) =>
    events.consumer({
      name: "test.reader",
      pattern: "probe.*",
      from: "beginning",
      handle: (event) => Effect.sync(() => seen.push(event)),
      ...options
    })
  )

/** Declares and starts it. */
export const consume = (seen: Array<Events.Event>, options: Partial<Events.Consumer<never>> = {}) =>
  Effect.flatMap(declare(seen, options), run)
