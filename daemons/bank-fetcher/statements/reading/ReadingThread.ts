/**
 * Reads files in a thread, so that the event loop stays free. Chunks go to the thread and rows come back, with at most
 * two chunks under way; a file of any size takes the same memory.
 */
import { Context, Deferred, Duration, Effect, Exit, Layer, Result, Schema, Stream } from "effect"
import { type MessagePort, MessageChannel } from "node:worker_threads"
import * as WorkerThreads from "#core/supervision/WorkerThreads.ts"
import { BankFormatsError, type BankFormatsReason } from "#protocols/bank-formats/BankFormatsError.ts"
import type { Part } from "./FileReading.ts"

/** A compressed chunk, the end of the file, or a request for more rows. */
export type Question = Uint8Array | "end" | "more"

export interface ThreadAnswer {
  readonly parts: ReadonlyArray<Part>
  readonly done: boolean
  readonly error?: { readonly reason: BankFormatsReason; readonly entry: number }
}

/** The thread ended, or did not answer in time. A retry may help. */
export class ReadingEnded extends Schema.TaggedError<ReadingEnded>()("ReadingEnded", { message: Schema.String }) {}

/** Longest time for one chunk. Unit: seconds. Reason: a megabyte takes 0.1 s; an MT file of 128 MB takes 10 s. */
const chunkTimeout = Duration.seconds(120)

/** Longest time for a file, with the writes of its rows. Unit: minutes. Reason: a gigabyte takes two minutes. */
const fileTimeout = Duration.minutes(60)

/** Files read at once in one process. Reason: one core for each, and one stays with the event loop. */
export const maxReadings = 2

/** Heap of a thread. Unit: MiB. Reason: an MT file of 128 MB is in memory as a whole; camt takes 50 MiB. */
const heap = 1_536

/** How long an unused thread stays. Unit: seconds. */
const idle = Duration.seconds(5)

export class ReadingThread extends Context.Service<
  ReadingThread,
  {
    /** Passes the rows of a file to `take`, in order. Succeeds with the problem of a file that cannot be read. */
    readonly read: <E, R>(
      chunks: Stream.Stream<Uint8Array, E, R>,
      take: (parts: ReadonlyArray<Part>) => Effect.Effect<void, E, R>
    ) => Effect.Effect<Result.Result<void, BankFormatsError>, E | ReadingEnded, R>
  }
>()("signalbox/bank-fetcher/ReadingThread") {}

export const layer: Layer.Layer<ReadingThread> = Layer.effect(
  ReadingThread,
  Effect.map(
    WorkerThreads.make<{ readonly port: MessagePort }, "done">({
      file: WorkerThreads.entry("statementWorker", import.meta.url),
      threads: WorkerThreads.besideTheLoop(maxReadings),
      queue: maxReadings,
      timeout: fileTimeout,
      idle,
      heap,
      moved: ({ port }) => [port],
      abandoned: "end"
    }),
    ({ run }) =>
      ReadingThread.of({
        read: (chunks, take) =>
          Effect.suspend(() => {
            const opened = Deferred.makeUnsafe<MessagePort>()
            const thread = Effect.mapError(
              run(() => {
                const { port1, port2 } = new MessageChannel()
                Deferred.doneUnsafe(opened, Exit.succeed(port1))
                return { port: port2 }
              }),
              ({ message }) => new ReadingEnded({ message })
            )
            const reading = Effect.flatMap(Deferred.await(opened), (port) =>
              Effect.ensuring(
                pump(port, chunks, take),
                Effect.sync(() => port.close())
              )
            )
            return Effect.map(Effect.all([reading, thread], { concurrency: 2 }), ([result]) => result)
          })
      })
  )
)

const pump = <E, R>(
  port: MessagePort,
  chunks: Stream.Stream<Uint8Array, E, R>,
  take: (parts: ReadonlyArray<Part>) => Effect.Effect<void, E, R>
): Effect.Effect<Result.Result<void, BankFormatsError>, E | ReadingEnded, R> =>
  Effect.gen(function* () {
    let problem: BankFormatsError | undefined
    const answers = Stream.buffer(
      Stream.mapEffect(chunks, (chunk) => ask(port, chunk)),
      { capacity: 1 }
    ).pipe(Stream.takeUntil(({ error }) => error !== undefined))
    yield* Stream.runForEach(answers, ({ error, parts }) => {
      if (error === undefined) return take(parts)
      problem = new BankFormatsError(error)
      return Effect.void
    })
    if (problem !== undefined) return Result.fail(problem)
    let answer = yield* ask(port, "end")
    while (true) {
      if (answer.error !== undefined) return Result.fail(new BankFormatsError(answer.error))
      yield* take(answer.parts)
      if (answer.done) return Result.succeed(undefined)
      answer = yield* ask(port, "more")
    }
  })

const ask = (port: MessagePort, question: Question): Effect.Effect<ThreadAnswer, ReadingEnded> =>
  Effect.callback<ThreadAnswer, ReadingEnded>((resume) => {
    const done = (result: Effect.Effect<ThreadAnswer, ReadingEnded>) => {
      stop()
      resume(result)
    }
    const onMessage = (answer: ThreadAnswer) => done(Effect.succeed(answer))
    const onClose = () => done(Effect.fail(new ReadingEnded({ message: "the thread ended" })))
    const stop = () => {
      port.off("message", onMessage)
      port.off("close", onClose)
    }
    port.on("message", onMessage)
    port.on("close", onClose)
    if (typeof question === "string") port.postMessage(question)
    else {
      // A copy, because the chunk may be part of a larger buffer, which would go as a whole.
      const copy = new Uint8Array(question)
      port.postMessage(copy, [copy.buffer])
    }
    return Effect.sync(stop)
  }).pipe(
    Effect.timeoutOrElse({
      duration: chunkTimeout,
      orElse: () => Effect.fail(new ReadingEnded({ message: "reading took too long" }))
    })
  )
