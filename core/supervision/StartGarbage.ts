/**
 * Returns memory that an idle process would keep for hours, because it allocates too little for a full collection: 20
 * MB of modules, migrations and schemas after the start, and what a burst of work left. bin/signalbox starts processes
 * with many daemons with `--expose-gc`; in others nothing happens here.
 */
import { Duration, Effect } from "effect"
import { getHeapStatistics } from "node:v8"

/** Collects once, with everything that V8 can build again. Takes some tenths of a second. */
export const collectStartGarbage: Effect.Effect<void> = Effect.sync(
  () => void globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" })
)

/** Growth of the used heap after which it is collected. Unit: bytes. Reason: an idle process takes hours for it. */
const worthwhile = 24 * 1024 * 1024

/** Interval of looks at the heap. Reason: a burst of work is over by then, and a look takes microseconds. */
const lookEvery = Duration.minutes(1)

/**
 * Collects after work that left much behind. Replaces the memory reducer of V8, which also collects in an idle process,
 * 100 s after each full collection. That takes about 0.1 % of a core.
 */
export const collectAfterWork: Effect.Effect<never> = Effect.gen(function* () {
  const used = () => getHeapStatistics().used_heap_size
  let least = used()
  while (true) {
    yield* Effect.sleep(lookEvery)
    const now = used()
    least = Math.min(least, now)
    if (now - least < worthwhile || globalThis.gc === undefined) continue
    yield* Effect.promise(async () => globalThis.gc?.({ type: "major", execution: "async" }))
    least = used()
  }
})
