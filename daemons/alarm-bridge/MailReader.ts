/**
 * Reads mails without holding up the event loop: small ones at once, large ones in a worker thread of their own, which is
 * ended when it takes too long. Never fails: what cannot be taken apart gives its header and first text.
 */
import { Context, Duration, Effect, Layer, Semaphore } from "effect"
import { Worker } from "node:worker_threads"
import { maxBodyLength } from "#core/contracts/Alarm.ts"
import { MailTooHard } from "./Errors.ts"
import { parse, type ParsedMail, parseHeader } from "./MailParser.ts"

/** Largest mail read on the event loop. Unit: bytes. Reason: the worst mail of this size takes about 0.2 s, a usual one 1 ms. */
export const maxInline = 64 * 1024

/** How long a worker may take. Unit: seconds. Reason: 25 MB of attachments take half a second. */
const workerTimeout = Duration.seconds(10)

/** Workers at once. Unit: threads. Reason: one for each core of a small host. */
const maxWorkers = 2

/** Heap of a worker. Unit: MiB. Reason: several times the largest mail; beyond it the worker dies, not the daemon. */
const workerHeap = 256

/** Beside this file in the sources, beside the bundle when built. */
const workerFile = new URL(import.meta.url.endsWith(".ts") ? "./mimeWorker.ts" : "./mime-worker.js", import.meta.url)

export class MailReader extends Context.Service<MailReader, {
  readonly read: (raw: Uint8Array) => Effect.Effect<ParsedMail>
}>()("signalbox/alarm-bridge/MailReader") {}

export const layer: Layer.Layer<MailReader> = Layer.sync(MailReader, () => {
  const workers = Semaphore.makeUnsafe(maxWorkers)
  const readApart = (raw: Uint8Array) =>
    workers.withPermit(apart(raw, workerFile, workerTimeout)).pipe(
      Effect.catch((error) => Effect.andThen(Effect.logWarning(error.message), Effect.promise(() => parseHeader(raw, maxBodyLength))))
    )
  return MailReader.of({
    read: (raw) => raw.byteLength <= maxInline ? Effect.promise(() => parse(raw, maxBodyLength)) : readApart(raw)
  })
})

/** Reads one mail in a thread that ends with it. */
export const apart = (raw: Uint8Array, file: URL, timeout: Duration.Duration): Effect.Effect<ParsedMail, MailTooHard> =>
  Effect.callback<ParsedMail, MailTooHard>((resume) => {
    const worker = new Worker(file, {
      workerData: { raw, maxBody: maxBodyLength },
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: workerHeap }
    })
    const broken = (detail: string) => resume(Effect.fail(new MailTooHard({ reason: "Broken", detail })))
    worker.once("message", (parsed: ParsedMail) => {
      resume(Effect.succeed(parsed))
      void worker.terminate()
    })
    worker.once("error", (error) => broken(error.message))
    worker.once("exit", () => broken("the worker ended early"))
    return Effect.promise(() => worker.terminate())
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.fail(new MailTooHard({ reason: "Timeout", detail: `it took more than ${Duration.toSeconds(timeout)} s` }))
    })
  )
