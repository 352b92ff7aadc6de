/** Runs one phase in a thread of its own and its helper threads, which end with the phase, and with its caller. */
import { Effect, Schema } from "effect"
import { availableParallelism } from "node:os"
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads"
import { endThread, nativeCallState } from "#core/supervision/NativeCalls.ts"
import { entry, threadEnvironment } from "#core/supervision/WorkerThreads.ts"
import { type Phase, phases } from "../Phases.ts"
import type { FromPhase, PhaseData, PhaseResult, PhaseStart } from "./Messages.ts"
import { plans } from "./Sizes.ts"
import type { HelperData } from "./Tasks.ts"

/** Heap of a thread. Unit: MiB. Reason: clips and embeddings are outside of it; only small objects are in it. */
const heap = 1_024

/** Maximum number of helper threads. Reason: each has an extractor and runs a program, about 100 MB together. */
const mostHelpers = 8

/** Phases whose work is divided among all cores. The low priority leaves the cores to other work. */
const divided: ReadonlySet<Phase> = new Set<Phase>(["samples_tts", "augment", "features"])

/**
 * Number of helper threads of a phase. Each network has its own, also on fewer cores: three networks that share two
 * cores end sooner than when the third one begins after the first.
 */
const helpersFor = ({ phase, size }: PhaseStart): number =>
  phase === "train"
    ? plans[size].training.networks
    : divided.has(phase)
      ? Math.min(mostHelpers, availableParallelism())
      : 0

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
    const threads: Array<{ readonly worker: Worker; readonly calls: SharedArrayBuffer }> = []
    const endAll = () => Promise.all(threads.map(({ calls, worker }) => endThread(worker, calls)))
    const end = (result: Effect.Effect<PhaseResult, PhaseFailed>) => {
      resume(result)
      void endAll()
    }
    const failed = (problem: string) => end(Effect.fail(new PhaseFailed({ problem })))
    const begin = <Data>(name: string, data: Data, moved: ReadonlyArray<MessagePort>) => {
      const calls = nativeCallState()
      const worker = new Worker(entry(name, import.meta.url), {
        execArgv: [],
        env: threadEnvironment(),
        workerData: { ...data, calls },
        transferList: [...moved],
        resourceLimits: { maxOldGenerationSizeMb: heap }
      })
      worker.on("error", (error) => failed(`The thread of the phase failed: ${error.message}`))
      worker.on("exit", () => failed("The thread of the phase ended early."))
      threads.push({ worker, calls })
      return worker
    }
    const { niceness, source } = start
    const helpers = Array.from({ length: helpersFor(start) }, () => {
      const { port1, port2 } = new MessageChannel()
      begin<Omit<HelperData, "calls">>("helperWorker", { start: { niceness, source }, port: port1 }, [port1])
      return port2
    })
    begin<Omit<PhaseData, "calls">>("trainWorker", { start, helpers }, helpers).on("message", (message: FromPhase) => {
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
    return Effect.promise(endAll)
  })
