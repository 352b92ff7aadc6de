/** Works on the queue `alarm.trigger`: starts the run of each trigger. */
import { Effect } from "effect"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { Recorder } from "../attempt/BeginAttempt.ts"
import { Results } from "../run/ResultCache.ts"

/** Unit: jobs in hand at once. Triggers that arrive during a transaction share the next one. */
const concurrency = 32

export const triggerWorker = Effect.gen(function* () {
  const recorder = yield* Recorder
  const results = yield* Results
  yield* Jobs.worker({
    type: AlarmTrigger,
    concurrency,
    handle: Effect.fnUntraced(function* (job) {
      const { finished } = yield* recorder.start({ job })
      if (finished !== undefined) yield* results.remember(finished)
    })
  })
})
