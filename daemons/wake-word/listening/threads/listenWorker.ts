/** A thread of inference: loads the runtime and models, and computes the steps of its streams. */
import { Effect, Exit } from "effect"
import { parentPort, workerData } from "node:worker_threads"
import type { WakeWordError } from "#protocols/wake-word/WakeWordError.ts"
import { type Extractors, openExtractors } from "../../engine/Exports.ts"
import { AudioRing } from "./AudioRing.ts"
import { Batches } from "./Batches.ts"
import type { FromThread, ThreadStart, ToThread } from "./Messages.ts"

const { calls, source } = workerData as ThreadStart
const tell = (message: FromThread): void => parentPort?.postMessage(message)
const batches = new Batches(tell)

/** The value, or the sentence of its error. A defect ends the thread. */
const result = async <A>(effect: Effect.Effect<A, WakeWordError>): Promise<A | string> => {
  const exit = await Effect.runPromiseExit(Effect.mapError(effect, (error) => error.message))
  if (Exit.isSuccess(exit)) return exit.value
  const failed = exit.cause.reasons.find((reason) => reason._tag === "Fail")
  if (failed === undefined) throw new Error(String(exit.cause))
  return failed.error
}

const started: Promise<Extractors | string> = result(openExtractors(source, calls))
void started.then((extractors) =>
  tell({ kind: "started", problem: typeof extractors === "string" ? extractors : undefined })
)

/** Models that were dropped before they were loaded. */
const dropped = new Set<string>()

const load = async ({ file, key, threshold }: Extract<ToThread, { kind: "model" }>): Promise<void> => {
  const extractors = await started
  const loaded = typeof extractors === "string" ? extractors : await result(extractors.load(file))
  if (typeof loaded !== "string") {
    if (dropped.delete(key)) return void loaded.head.close()
    batches.model(key, { ...loaded, threshold })
  }
  tell({ kind: "model", key, problem: typeof loaded === "string" ? loaded : undefined })
}

parentPort?.on("message", (message: ToThread) => {
  if (message.kind === "model") void load(message)
  else if (message.kind === "begin") batches.begin(message.stream, message.key, new AudioRing(message.audio))
  else if (message.kind === "use") batches.use(message.stream, message.key)
  else if (message.kind === "audio") batches.audio(message.streams)
  else if (message.kind === "end") batches.end(message.stream)
  else if (!batches.drop(message.key)) dropped.add(message.key)
})
