/**
 * Returns the memory that only the start of a process needed: modules, migrations and schemas leave 20 MB behind, which
 * an idle process would keep for hours, because it allocates too little for a full collection.
 */
import { Effect } from "effect"

/**
 * Collects once, with everything that V8 can build again. Takes some tenths of a second. Does nothing in a process that
 * was started without `--expose-gc`; bin/signalbox sets it for processes with many daemons.
 */
export const collectStartGarbage: Effect.Effect<void> = Effect.sync(
  () => void globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" })
)
