/** Runs one phase in a thread of its own, which ends with the phase, and with its caller. */
import { Effect, Schema } from "effect"
import { Worker } from "node:worker_threads"
import { endThread, nativeCallState } from "#core/supervision/NativeCalls.ts"
import { entry } from "#core/supervision/WorkerThreads.ts"
import { phases } from "../Phases.ts"
import type { FromPhase, PhaseData, PhaseResult, PhaseStart } from "./Messages.ts"

/** Heap of the thread. Unit: MiB. Reason: clips and embeddings are outside of it; only small objects are in it. */
const heap = 1_024

/** The phase failed. `missing`: the result of this earlier phase is not on this machine. */
export class PhaseFailed extends Schema.TaggedError<PhaseFailed>()("PhaseFailed", {
  problem: Schema.String,
  missing: Schema.optionalKey(Schema.Literals(phases))
}) {
  override get message() {
    return this.problem
  }
}

/** `progress`: called with the share that is done, 0 to 1. */
export const runPhase = (
  start: PhaseStart,
  progress: (share: number) => void
): Effect.Effect<PhaseResult, PhaseFailed> =>
  Effect.callback<PhaseResult, PhaseFailed>((resume) => {
    const calls = nativeCallState()
    const worker = new Worker(entry("trainWorker", import.meta.url), {
      execArgv: [],
      env: {},
      workerData: { start, calls } satisfies PhaseData,
      resourceLimits: { maxOldGenerationSizeMb: heap }
    })
    const end = (result: Effect.Effect<PhaseResult, PhaseFailed>) => {
      resume(result)
      void endThread(worker, calls)
    }
    const failed = (problem: string) => end(Effect.fail(new PhaseFailed({ problem })))
    worker.on("message", (message: FromPhase) => {
      if (message.kind === "progress") progress(message.share)
      else if (message.kind === "done") end(Effect.succeed(message.result))
      else
        end(
          Effect.fail(
            new PhaseFailed({
              problem: message.problem,
              ...(message.missing === undefined ? {} : { missing: message.missing })
            })
          )
        )
    })
    worker.on("error", (error) => failed(`The thread of the phase failed: ${error.message}`))
    worker.on("exit", () => failed("The thread of the phase ended early."))
    return Effect.promise(() => endThread(worker, calls))
  })
