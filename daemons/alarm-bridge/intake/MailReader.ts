/**
 * Parses mails without blocking the event loop. Small mails are parsed inline, large ones in a worker thread that is
 * terminated on timeout. Never fails: an unparsable mail gives its header and the beginning of its text.
 */
import { Context, Duration, Effect, Layer } from "effect"
import * as WorkerThreads from "#core/supervision/WorkerThreads.ts"
import { maxBodyLength } from "#core/contracts/Alarm.ts"
import { MailTooHard } from "./Errors.ts"
import { parse, type ParsedMail, parseHeader } from "./MailParser.ts"

/**
 * Largest mail parsed inline. Unit: bytes. Reason: the slowest mail of this size takes about 0.2 s, a usual one 1 ms.
 */
export const maxInline = 64 * 1024

/** Longest run of a worker. Unit: seconds. Reason: 25 MB of attachments take half a second. */
const workerTimeout = Duration.seconds(10)

/** Maximum number of concurrent workers. Reason: one for each core of a small host. */
const maxWorkers = 2

/**
 * Heap limit of a worker. Unit: MiB. Reason: several times the largest mail; an overflow kills the worker, not the
 * daemon.
 */
const workerHeap = 256

/** How long an unused worker stays alive. Unit: seconds. */
const idleWorker = Duration.seconds(1)

/**
 * Maximum number of large mails that may wait for a worker. Reason: more than fit into the 64 MiB that the SMTP
 * listener holds.
 */
const maxWaiting = 1024

export class MailReader extends Context.Service<
  MailReader,
  { readonly read: (raw: Uint8Array) => Effect.Effect<ParsedMail> }
>()("signalbox/alarm-bridge/MailReader") {}

/** Creates a parser that runs each mail in a new worker. */
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
