/**
 * Reads mails without holding up the event loop: small ones at once, large ones in a worker thread, which is ended when
 * it takes too long. Never fails: what cannot be taken apart gives its header and first text.
 */
import { Context, Duration, Effect, Layer } from "effect"
import * as WorkerThreads from "#core/supervision/WorkerThreads.ts"
import { maxBodyLength } from "#core/contracts/Alarm.ts"
import { MailTooHard } from "./Errors.ts"
import { parse, type ParsedMail, parseHeader } from "./MailParser.ts"

/**
 * Largest mail read on the event loop. Unit: bytes. Reason: the worst mail of this size takes about 0.2 s, a usual one
 * 1 ms.
 */
export const maxInline = 64 * 1024

/** How long a worker may take. Unit: seconds. Reason: 25 MB of attachments take half a second. */
const workerTimeout = Duration.seconds(10)

/** Workers at once. Unit: threads. Reason: one for each core of a small host. */
const maxWorkers = 2

/** Heap of a worker. Unit: MiB. Reason: several times the largest mail; beyond it the worker dies, not the daemon. */
const workerHeap = 256

/** How long a worker stays that nobody has given a mail yet. Unit: seconds. */
const idleWorker = Duration.seconds(1)

/**
 * Large mails that may wait. Unit: mails. Reason: as many as 64 MiB have room for, which is what the intake holds of
 * mails.
 */
const maxWaiting = 1024

export class MailReader extends Context.Service<
  MailReader,
  { readonly read: (raw: Uint8Array) => Effect.Effect<ParsedMail> }
>()("signalbox/alarm-bridge/MailReader") {}

/** Reads one mail in a worker, each time it is asked. */
export const apart = (file: URL, timeout: Duration.Duration) =>
  Effect.map(
    WorkerThreads.make<{ readonly raw: Uint8Array; readonly maxBody: number }, ParsedMail>({
      file,
      threads: maxWorkers,
      queue: maxWaiting,
      timeout,
      idle: idleWorker,
      heap: workerHeap,
      abandoned: "end",
      reuse: false
    }),
    ({ run }) =>
      (raw: Uint8Array): Effect.Effect<ParsedMail, MailTooHard> =>
        Effect.catch(
          run(() => ({ raw, maxBody: maxBodyLength })),
          ({ message, reason }) =>
            reason === "Stopped"
              ? Effect.interrupt
              : Effect.fail(new MailTooHard({ reason: reason === "TimedOut" ? "Timeout" : reason, detail: message }))
        )
  )

export const layer: Layer.Layer<MailReader> = Layer.effect(
  MailReader,
  Effect.map(apart(WorkerThreads.entry("mimeWorker", import.meta.url), workerTimeout), (readApart) =>
    MailReader.of({
      read: (raw) =>
        raw.byteLength <= maxInline
          ? Effect.promise(() => parse(raw, maxBodyLength))
          : Effect.catch(readApart(raw), (error) =>
              Effect.andThen(
                Effect.logWarning(error.message),
                Effect.promise(() => parseHeader(raw, maxBodyLength))
              )
            )
    })
  )
)
