/**
 * Writes the results of finished runs to the cache. The ledger already has them, so failures here cost nothing: writes
 * run in the background, bounded in number, and an outage is logged once.
 */
import { Clock, Context, Duration, Effect, FiberSet, Layer } from "effect"
import { Cache } from "#core/cache/Cache.ts"
import type { AlarmFinished } from "#core/contracts/Alarm.ts"
import { isFailing, PeerHealth } from "../../channels/Exports.ts"

export type Result = typeof AlarmFinished.data.Type

/** Time to live of a cached result. */
const kept = Duration.hours(24)

/**
 * Maximum number of writes under way at once. Reason: bounds the memory when the cache hangs; further results stay in
 * the ledger only.
 */
const maxUnderWay = 64

/** Cache key of a run's result. */
export const keyOf = (runId: string): string => `alarm:run:${runId}`

/** Writes one result and waits for it. For the command line, which ends afterwards. */
export const store = (result: Result) => Effect.flatMap(Cache, (cache) => cache.set(keyOf(result.run_id), result, kept))

export class ResultCache extends Context.Service<
  ResultCache,
  {
    /** Writes the result in the background. Call it after the commit. */
    readonly remember: (result: Result) => Effect.Effect<void>
  }
>()("signalbox/comm-dispatcher/ResultCache") {}

export const layer: Layer.Layer<ResultCache, never, Cache | PeerHealth> = Layer.effect(
  ResultCache,
  Effect.gen(function* () {
    const cache = yield* Cache
    const health = yield* PeerHealth
    const writes = yield* FiberSet.make()
    const write = Effect.fnUntraced(function* (result: Result) {
      const problem = yield* Effect.match(Effect.provideService(store(result), Cache, cache), {
        onSuccess: () => undefined,
        onFailure: (error) => error.message
      })
      const at = yield* Clock.currentTimeMillis
      const before = yield* health.note(
        "cache",
        problem === undefined ? { at, ok: true } : { at, ok: false, reason: problem }
      )
      const wasFailing = isFailing(before)
      if (problem !== undefined && !wasFailing) yield* Effect.logWarning(`${problem}; results are in the ledger only`)
      if (problem === undefined && wasFailing) yield* Effect.logInfo("the cache answers again")
    })
    return ResultCache.of({
      remember: (result) =>
        Effect.flatMap(FiberSet.size(writes), (underWay) =>
          underWay >= maxUnderWay ? Effect.void : Effect.asVoid(FiberSet.run(writes, write(result)))
        )
    })
  })
)
