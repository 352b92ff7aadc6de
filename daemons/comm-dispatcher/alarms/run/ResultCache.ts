/**
 * The cache's part of `comm.log_result`. The ledger has the result already, so whatever happens here costs the run
 * nothing: writes go on behind the work, bounded, and a cache that is away is told once, not with every run.
 */
import { Clock, Context, Duration, Effect, FiberSet, Layer } from "effect"
import { Cache } from "#core/cache/Cache.ts"
import type { AlarmFinished } from "#core/contracts/Alarm.ts"
import { isFailing, PeerHealth } from "../../channels/Exports.ts"

export type Result = typeof AlarmFinished.data.Type

/** How long a run's result stays in the cache. */
const kept = Duration.hours(24)

/** Writes under way at once. Unit: writes. Reason: a cache that hangs must not gather memory; beyond it results are in the ledger only. */
const maxUnderWay = 64

/** Where a run's result stands in the cache. */
export const keyOf = (runId: string): string => `alarm:run:${runId}`

export class ResultCache extends Context.Service<
  ResultCache,
  {
    /** Puts the result into the cache, soon. Outside a transaction only. */
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
      const problem = yield* Effect.match(cache.set(keyOf(result.run_id), result, kept), {
        onSuccess: () => undefined,
        onFailure: (error) => error.message
      })
      const at = yield* Clock.currentTimeMillis
      const before = yield* health.note(
        "cache",
        problem === undefined ? { at, ok: true } : { at, ok: false, reason: problem }
      )
      const wasFailing = isFailing(before)
      if (problem !== undefined && !wasFailing) yield* Effect.logWarning(`${problem}; results stand in the ledger only`)
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
