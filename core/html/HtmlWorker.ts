/**
 * Cleans HTML of strangers in threads of its own: the worst page takes seconds, which no request beside it shall wait for. A
 * thread that dies, runs out of memory or takes too long is ended, and the next page has a new one. Sanitise says what is done.
 */
import { Context, Duration, Effect, Exit, Layer, Pool, Schema } from "effect"
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import { maxInput, type Sanitised, type SanitiseOptions } from "./Sanitise.ts"

/** Threads at most. Unit: threads. Reason: one page takes milliseconds; the second is for when somebody sends a bad one. */
const maxThreads = 2

/** Pages that may wait or be at work. Unit: pages. Reason: of 4 MiB in memory each (UTF-16), so 256 MiB at most. */
export const maxPages = 64

/** How long one page may take once a thread has it. Unit: seconds. Reason: the worst page known takes two on a slow core. */
const pageTimeout = Duration.seconds(10)

/** Heap of a thread. Unit: MiB. Reason: the page, its parts and what is given out, several times over. */
const threadHeap = 256

/** How long a thread stays when there is nothing to do. Unit: minutes. */
const idleThread = Duration.minutes(5)

/** Nothing was cleaned. Holds nothing of the page. */
export class HtmlError extends Schema.TaggedError<HtmlError>()("HtmlError", {
  reason: Schema.Literals([
    /** Too many pages wait; the same may succeed in a moment. */
    "Full",
    /** This page takes too long: it will the next time too. */
    "TimedOut",
    /** The thread ended early, and so did a second one. */
    "Broken"
  ])
}) {
  override get message() {
    return words[this.reason]
  }
}

const words: Record<HtmlError["reason"], string> = {
  Full: "too many pages wait to be cleaned",
  TimedOut: "cleaning the page took too long",
  Broken: "the thread that cleaned the page ended early"
}

export class HtmlWorker extends Context.Service<HtmlWorker, {
  /** `sanitise` of Sanitise.ts. */
  readonly sanitise: (html: string, options?: SanitiseOptions) => Effect.Effect<Sanitised, HtmlError>
}>()("signalbox/core/HtmlWorker") {}

/** What tests set otherwise. */
export interface HtmlWorkerOptions {
  readonly file?: URL
  readonly threads?: number
  readonly pages?: number
  readonly timeout?: Duration.Duration
}

interface Thread {
  readonly worker: Worker
  dead: boolean
  end: ((result: Effect.Effect<Sanitised, HtmlError>) => void) | undefined
}

export const make = Effect.fnUntraced(function*({ file = workerFile, pages = maxPages, timeout = pageTimeout, threads = maxThreads }: HtmlWorkerOptions = {}) {
  const pool = yield* Pool.makeWithTTL({
    acquire: Effect.acquireRelease(Effect.sync(() => spawn(file)), (thread) => Effect.promise(() => thread.worker.terminate())),
    min: 0,
    // One core is left to the event loop.
    max: Math.max(1, Math.min(threads, availableParallelism() - 1)),
    timeToLive: idleThread
  })
  const attempt = (html: string, options: SanitiseOptions) =>
    Pool.use(pool, (thread) =>
      ask(thread, html, options).pipe(
        Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(new HtmlError({ reason: "TimedOut" })) }),
        // Whatever went wrong, also the caller's going away: the thread may still be at it.
        Effect.onExit((exit) => Exit.isSuccess(exit) ? Effect.void : Effect.andThen(Pool.invalidate(pool, thread), Effect.promise(() => thread.worker.terminate())))
      ))
  let present = 0
  return HtmlWorker.of({
    sanitise: (html, options = {}) =>
      Effect.suspend(() => {
        if (present >= pages) return Effect.fail(new HtmlError({ reason: "Full" }))
        present += 1
        return attempt(html, options).pipe(
          // A thread may have died while it was idle, or of another cause.
          Effect.retry({ times: 1, while: (error) => error.reason === "Broken" }),
          Effect.ensuring(Effect.sync(() => present--))
        )
      })
  })
})

export const layer: Layer.Layer<HtmlWorker> = Layer.effect(HtmlWorker, make())

const spawn = (file: URL): Thread => {
  const worker = new Worker(file, { execArgv: [], env: {}, resourceLimits: { maxOldGenerationSizeMb: threadHeap } })
  const thread: Thread = { worker, dead: false, end: undefined }
  const lost = () => {
    thread.dead = true
    thread.end?.(Effect.fail(new HtmlError({ reason: "Broken" })))
  }
  worker.on("message", (result: Sanitised) => thread.end?.(Effect.succeed(result)))
  // The error's text is not handed on: it may quote the page.
  worker.on("error", lost)
  worker.on("exit", lost)
  return thread
}

const ask = (thread: Thread, html: string, options: SanitiseOptions): Effect.Effect<Sanitised, HtmlError> =>
  Effect.callback<Sanitised, HtmlError>((resume) => {
    if (thread.dead) return resume(Effect.fail(new HtmlError({ reason: "Broken" })))
    thread.end = (result) => {
      thread.end = undefined
      resume(result)
    }
    // One character more than is read, so that the cut is still seen.
    thread.worker.postMessage({ html: html.slice(0, maxInput + 1), options })
    return Effect.sync(() => void (thread.end = undefined))
  })

/** Beside this file in the sources, beside the bundle when built. */
const workerFile = new URL(import.meta.url.endsWith(".ts") ? "./sanitiseWorker.ts" : "./sanitise-worker.js", import.meta.url)
