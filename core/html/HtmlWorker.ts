/**
 * Cleans untrusted HTML in worker threads, because the worst page takes seconds and would block other requests.
 * Sanitise.ts defines the cleaning.
 */
import { Context, Duration, Effect, Layer, Schema } from "effect"
import * as WorkerThreads from "../supervision/WorkerThreads.ts"
import { maxInput, type Sanitised, type SanitiseOptions } from "./Sanitise.ts"

/**
 * Maximum number of threads. Reason: a page takes milliseconds; the second thread works while the first is busy with an
 * expensive page.
 */
const maxThreads = 2

/** Pages waiting or in work. Unit: pages. Reason: each holds up to 4 MiB in memory (UTF-16), 256 MiB in total. */
export const maxPages = 64

/**
 * How long a thread may work on one page. Unit: seconds. Reason: the worst known page takes two seconds on a slow core.
 */
const pageTimeout = Duration.seconds(10)

/** Heap of a thread. Unit: MiB. Reason: room for several copies of the page, its parsed form and the output. */
const threadHeap = 256

/** How long an idle thread is kept. Unit: minutes. */
const idleThread = Duration.minutes(5)

/** The page was not cleaned. The error contains nothing of the page. */
export class HtmlError extends Schema.TaggedError<HtmlError>()("HtmlError", {
  reason: Schema.Literals([
    /** Too many pages wait; a retry may succeed soon. */
    "Full",
    /** The page takes too long; a retry fails too. */
    "TimedOut",
    /** The thread exited early, and so did its replacement. */
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

export class HtmlWorker extends Context.Service<
  HtmlWorker,
  {
    /** `sanitise` of Sanitise.ts. */
    readonly sanitise: (html: string, options?: SanitiseOptions) => Effect.Effect<Sanitised, HtmlError>
  }
>()("signalbox/core/HtmlWorker") {}

/** Options that tests override. */
export interface HtmlWorkerOptions extends Partial<
  Pick<WorkerThreads.WorkerThreadsOptions<unknown>, "file" | "threads" | "timeout">
> {
  readonly pages?: number
}

export const make = Effect.fnUntraced(function* ({
  file = workerFile,
  pages = maxPages,
  timeout = pageTimeout,
  threads = maxThreads
}: HtmlWorkerOptions = {}) {
  const most = WorkerThreads.besideTheLoop(threads)
  const { run } = yield* WorkerThreads.make<{ readonly html: string; readonly options: SanitiseOptions }, Sanitised>({
    file,
    threads: most,
    queue: pages - most,
    timeout,
    idle: idleThread,
    heap: threadHeap,
    abandoned: "end"
  })
  return HtmlWorker.of({
    sanitise: (html, options = {}) =>
      // Sends one character more than `sanitise` reads, so that it still detects truncation. Error messages of the
      // thread are dropped, because they may quote the page.
      Effect.catch(
        run(() => ({ html: html.slice(0, maxInput + 1), options })),
        ({ reason }) => (reason === "Stopped" ? Effect.interrupt : Effect.fail(new HtmlError({ reason })))
      )
  })
})

export const layer: Layer.Layer<HtmlWorker> = Layer.effect(HtmlWorker, make())

const workerFile = WorkerThreads.entry("sanitiseWorker", import.meta.url)
