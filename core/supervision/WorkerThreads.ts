/**
 * A pool of threads for work that would block the event loop: a bounded number of threads, one task per thread, and a
 * short queue. The pool starts a thread when there is work and ends it after an idle time. It ends a thread whose task
 * exceeds the time-out, and retries the task of a crashed thread once. Source: Node.js, worker_threads.
 *
 * The library piscina 5.3.2 takes 1.3 times as long as this file for a task of 9 KB (Node 24). It has no time-out, does
 * not retry the task of a crashed thread, and has 2,000 lines; this file has 200.
 */
import { Duration, Effect, Schema, type Scope } from "effect"
import { availableParallelism } from "node:os"
import { type Transferable, Worker } from "node:worker_threads"

/**
 * The task was not done. `Full`: the queue is full; a retry may succeed soon. `Broken`: the thread crashed, ran out of
 * memory or exited, and so did a second one; the message is Node's and may quote the task. `Stopped`: the pool has
 * ended.
 */
export class ThreadError extends Schema.TaggedError<ThreadError>()("ThreadError", {
  reason: Schema.Literals(["Full", "TimedOut", "Broken", "Stopped"]),
  message: Schema.String
}) {}

export interface WorkerThreads<Task, Result> {
  /** `task` is called when a thread takes it. An interrupted call leaves the queue. */
  readonly run: (task: () => Task) => Effect.Effect<Result, ThreadError>
  /** Number of living threads, including those that are being ended. */
  readonly alive: () => number
}

export interface WorkerThreadsOptions<Task> {
  /** Entry file of the thread: it answers each message with one message until it is ended. */
  readonly file: URL
  /** Maximum number of threads. */
  readonly threads: number
  /** Maximum number of waiting tasks. */
  readonly queue: number
  /** Longest run of one task in a thread. */
  readonly timeout: Duration.Duration
  /** How long an idle thread lives. */
  readonly idle: Duration.Duration
  /** Heap of a thread; a thread that needs more is ended. Unit: MiB. */
  readonly heap: number
  /** Whether a thread takes another task. False where a task leaves much memory behind. Default true. */
  readonly reuse?: boolean
  /** Fate of a task whose caller was interrupted: `end` kills the thread, `finish` lets it run to its end. */
  readonly abandoned: "end" | "finish"
  /** Parts of the task that move to the thread instead of being copied, such as a `MessagePort`. Default: none. */
  readonly moved?: (task: Task) => ReadonlyArray<Transferable>
  /** Called once the thread has its copy of the task. */
  readonly given?: (task: Task) => void
}

/** The threads end with the scope; waiting calls then fail with `Stopped`. */
export const make = <Task, Result>(
  options: WorkerThreadsOptions<Task>
): Effect.Effect<WorkerThreads<Task, Result>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => open<Task, Result>(options)),
    (threads) => Effect.promise(threads.close)
  )

/** Number of threads: at most `most`, and fewer where needed to leave one core to the event loop. */
export const besideTheLoop = (most: number): number => Math.max(1, Math.min(most, availableParallelism() - 1))

/**
 * URL of a worker file. In the sources, `mimeWorker` is next to the module `url`; in the bundle its name is
 * `mime-worker` (scripts/build.js).
 */
export const entry = (name: string, url: string): URL =>
  new URL(
    url.endsWith(".ts") ? `./${name}.ts` : `./${name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase()}.js`,
    url
  )

/**
 * Environment of a thread with many modules: nothing of the process but the folder of its cache of compiled code, if it
 * has one. Without the cache, the thread compiles all its sources again; with it, the start takes half of the processor
 * time. The threads of a pool have few modules and no environment.
 */
export const threadEnvironment = (): Record<string, string> => {
  const folder = process.env["NODE_COMPILE_CACHE"]
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
}

/** Number of retries of a task whose thread died. Reason: a task that kills its thread must not kill all of them. */
const retries = 1

const open = <Task, Result>({
  abandoned,
  file,
  given,
  heap,
  idle,
  moved,
  queue,
  reuse = true,
  threads: most,
  timeout
}: WorkerThreadsOptions<Task>) => {
  interface Asked {
    readonly task: () => Task
    readonly end: (result: Effect.Effect<Result, ThreadError>) => void
    retries: number
  }
  interface Thread {
    readonly worker: Worker
    asked?: Asked | undefined
    timer?: NodeJS.Timeout
    ended: boolean
  }
  const threads = new Set<Thread>()
  const waiting = new Set<Asked>()
  const gone = failed("Stopped", "the threads have ended")
  let stopped = false

  const spawn = (): Thread => {
    const worker = new Worker(file, { execArgv: [], env: {}, resourceLimits: { maxOldGenerationSizeMb: heap } })
    const thread: Thread = { worker, ended: false }
    let why = "the thread ended early"
    worker.on("message", (result: Result) => {
      const { asked } = thread
      // A thread that is being ended may still answer.
      if (asked === undefined) return
      if (reuse) hold(thread, undefined)
      else end(thread)
      asked.end(Effect.succeed(result))
      serve()
    })
    worker.on("error", (error) => void (why = error.message))
    // Also follows an error. The thread's slot is free only now, because its memory counts until it exits.
    worker.on("exit", () => {
      threads.delete(thread)
      const asked = end(thread)
      if (asked !== undefined && asked.retries-- > 0) give(asked, undefined)
      else asked?.end(failed("Broken", why))
      serve()
    })
    threads.add(thread)
    return hold(thread, undefined)
  }

  /** Sets the thread's timer: time-out of its task, or idle time. */
  const hold = (thread: Thread, asked: Asked | undefined): Thread => {
    clearTimeout(thread.timer)
    thread.asked = asked
    const time = asked === undefined ? idle : timeout
    thread.timer = setTimeout(
      () => end(thread)?.end(failed("TimedOut", `it took more than ${Duration.format(time)}`)),
      Duration.toMillis(time)
    )
    return thread
  }

  /** Ends a thread and returns its task. */
  const end = (thread: Thread): Asked | undefined => {
    clearTimeout(thread.timer)
    const { asked } = thread
    thread.asked = undefined
    thread.ended = true
    void thread.worker.terminate()
    return asked
  }

  const serve = (): void => {
    for (const asked of waiting) {
      // Takes the oldest free thread, so that the others reach their idle time.
      const free = Array.from(threads).find((thread) => thread.asked === undefined && !thread.ended)
      if (free === undefined && threads.size >= most) return
      waiting.delete(asked)
      give(asked, free)
    }
  }

  const give = (asked: Asked, free: Thread | undefined): void => {
    try {
      const thread = free ?? spawn()
      const task = asked.task()
      thread.worker.postMessage(task, moved?.(task) ?? [])
      given?.(task)
      hold(thread, asked)
    } catch (defect) {
      // The task could not be made or copied, or the machine starts no more threads. Thrown in a timer, the error would
      // end the process.
      asked.end(Effect.die(defect))
    }
  }

  const run = (task: () => Task) =>
    Effect.callback<Result, ThreadError>((resume) => {
      if (stopped) return resume(gone)
      const asked = { task, end: resume, retries }
      waiting.add(asked)
      serve()
      if (waiting.size > queue && waiting.delete(asked)) return resume(failed("Full", `${queue} wait already`))
      return Effect.sync(() => {
        waiting.delete(asked)
        asked.retries = 0
        for (const thread of threads) if (thread.asked === asked && abandoned === "end") end(thread)
      })
    })

  const close = async () => {
    stopped = true
    for (const asked of [...Array.from(threads, end), ...waiting]) asked?.end(gone)
    waiting.clear()
    await Promise.all(Array.from(threads, (thread) => thread.worker.terminate()))
  }

  return { run, close, alive: () => threads.size }
}

const failed = (reason: ThreadError["reason"], message: string) => Effect.fail(new ThreadError({ reason, message }))
