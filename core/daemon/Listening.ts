/**
 * Whether the listeners of this process are open. Work that calls our own addresses waits for them at the start. Open
 * without a suite, such as in tests of one part.
 */
import { Context, Latch } from "effect"

export const Listening = Context.Reference<Latch.Latch>("signalbox/core/Listening", {
  defaultValue: () => Latch.makeUnsafe(true)
})
