/**
 * Runs fetches. A tenant has few at the same time, so a bank that hangs holds up no other tenant. After a crash the job
 * comes again, and the fetch begins a new attempt: without a receipt the bank still has the data.
 */
import { Duration, Effect } from "effect"
import type { ClaimedJob } from "#core/jobs/Jobs.ts"
import { FetchWanted } from "../bank-store/BankJobs.ts"
import { notReadySentence, stoppedSentence } from "./AccountWords.ts"
import * as FetchProgress from "./FetchProgress.ts"
import { run } from "./FetchRun.ts"
import type { FetchSettings } from "./Settings.ts"

/** Fetches at the same time in one process. Reason: each may hold its statements in memory as a whole. */
const concurrency = 8

/** Fetches of one tenant at the same time in the fleet. */
const perTenant = 2

export const fetchWorker = ({ minute }: FetchSettings) => ({
  type: FetchWanted,
  concurrency,
  perGroup: perTenant,
  handle: (job: ClaimedJob<typeof FetchWanted.data.Type>) =>
    Effect.gen(function* () {
      const attempt = yield* FetchProgress.begin(job)
      if (attempt === undefined) return
      const annotations = { fetch: attempt.fetch.id, account: attempt.fetch.account_id }
      yield* Effect.annotateLogs(attend(attempt, minute), annotations)
    }).pipe(Effect.catchTag("Superseded", (error) => Effect.logInfo(error.message)))
})

const attend = (attempt: FetchProgress.Attempt, minute: number) =>
  run(attempt, Duration.millis(minute)).pipe(
    Effect.flatMap((ran) =>
      ran._tag === "Succeeded"
        ? FetchProgress.succeeded(attempt, ran.newFiles, ran.problem)
        : Effect.andThen(
            Effect.logWarning(`fetch failed: ${ran.failure.problem}`),
            FetchProgress.failed(attempt, ran.failure, minute)
          )
    ),
    Effect.catchTags({
      KeysLocked: () => FetchProgress.locked(attempt, minute),
      NotReady: (error) => FetchProgress.refused(attempt, notReadySentence(error)),
      Stopped: () => FetchProgress.refused(attempt, stoppedSentence)
    })
  )
