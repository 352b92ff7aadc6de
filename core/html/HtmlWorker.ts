/**
 * Cleans HTML of strangers in threads of its own: the worst page takes seconds, which no request beside it shall wait
 * for. Sanitise says what is done.
 */
import { Context, Duration, Effect, Layer, Schema } from "effect"
import * as WorkerThreads from "../supervision/WorkerThreads.ts"
import { maxInput, type Sanitised, type SanitiseOptions } from "./Sanitise.ts"

/**
 * Threads at most. Unit: threads. Reason: one page takes milliseconds; the second is for when somebody sends a bad one.
 */
const maxThreads = 2

/** Pages that may wait or be at work. Unit: pages. Reason: of 4 MiB in memory each (UTF-16), so 256 MiB at most. */
export const maxPages = 64

/**
 * How long one page may take once a thread has it. Unit: seconds. Reason: the worst page known takes two on a slow
 * core.
 */
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

export class HtmlWorker extends Context.Service<
  HtmlWorker,
  {
    /** `sanitise` of Sanitise.ts. */
    readonly sanitise: (html: string, options?: SanitiseOptions) => Effect.Effect<Sanitised, HtmlError>
  }
>()("signalbox/core/HtmlWorker") {}

/** What tests set otherwise. */
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
      // One character more than is read, so that the cut is still seen. A thread's own words are not handed on: they
      // may quote the page.
      Effect.catch(
        run(() => ({ html: html.slice(0, maxInput + 1), options })),
        ({ reason }) => (reason === "Stopped" ? Effect.interrupt : Effect.fail(new HtmlError({ reason })))
      )
  })
})

export const layer: Layer.Layer<HtmlWorker> = Layer.effect(HtmlWorker, make())

const workerFile = WorkerThreads.entry("sanitiseWorker", import.meta.url)
