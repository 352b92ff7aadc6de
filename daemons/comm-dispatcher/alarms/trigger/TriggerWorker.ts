/** Works on the queue `alarm.trigger`: starts the run of each trigger. */
import { Effect } from "effect"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { ResultCache } from "../run/ResultCache.ts"
import { StartRun } from "../run/StartRun.ts"

/** Maximum number of jobs handled at once. Triggers that arrive during a transaction share the next one. */
const concurrency = 32

export const triggerWorker = Effect.gen(function* () {
  const { startJob } = yield* StartRun
  const results = yield* ResultCache
  yield* Jobs.worker({
    type: AlarmTrigger,
    concurrency,
    handle: Effect.fnUntraced(function* (job) {
      const { finished } = yield* startJob({ job })
      if (finished !== undefined) yield* results.remember(finished)
    })
  })
})
