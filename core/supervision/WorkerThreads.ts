/**
 * Threads for work that would hold up the event loop: up to a bound, one task a thread at a time, and a short queue
 * before them. A thread is started when there is work for it and ended when there has been none for a while. One that
 * takes too long is ended; the task of one that died is tried once more. Knows nothing of the work. Source: Node.js,
 * worker_threads.
 */
import { Duration, Effect, Schema, type Scope } from "effect"
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"

/**
 * The task was not done. `Full`: too many wait; the same may succeed in a moment. `Broken`: the thread crashed, ran out
 * of memory or ended, and so did a second one; the message is node's and may quote the task. `Stopped`: the pool has
 * ended.
 */
export class ThreadError extends Schema.TaggedError<ThreadError>()("ThreadError", {
  reason: Schema.Literals(["Full", "TimedOut", "Broken", "Stopped"]),
  message: Schema.String
}) {}

export interface WorkerThreads<Task, Result> {
  /** `task` is made when a thread takes it. An interrupted call gives up its place in the queue. */
  readonly run: (task: () => Task) => Effect.Effect<Result, ThreadError>
  /** Threads that live now, with those that are being ended. */
  readonly alive: () => number
}

export interface WorkerThreadsOptions<Task> {
  /** The thread's entry: one message in, one out, until it is ended. */
  readonly file: URL
  /** Threads at most. */
  readonly threads: number
  /** Tasks that may wait for a thread. */
  readonly queue: number
  /** How long one task may take once a thread has it. */
  readonly timeout: Duration.Duration
  /** How long a thread stays when there is nothing to do. */
  readonly idle: Duration.Duration
  /** Heap of a thread; one that needs more dies. Unit: MiB. */
  readonly heap: number
  /** Whether a thread takes a second task. False where one leaves much memory behind. Default true. */
  readonly reuse?: boolean
  /** What a thread does with a task whose asker was interrupted: it ends with it, or finishes it for nobody. */
  readonly abandoned: "end" | "finish"
  /** Called once the thread has its copy of the task. */
  readonly given?: (task: Task) => void
}

/** The threads end with the scope; whoever still waits fails with `Stopped`. */
export const make = <Task, Result>(
  options: WorkerThreadsOptions<Task>
): Effect.Effect<WorkerThreads<Task, Result>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => open<Task, Result>(options)),
    (threads) => Effect.promise(threads.close)
  )

/** `most` threads, or fewer: one core is left to the event loop. */
export const besideTheLoop = (most: number): number => Math.max(1, Math.min(most, availableParallelism() - 1))

/**
 * `mimeWorker`: beside the module `url` in the sources, as `mime-worker` beside the bundle when built
 * (scripts/build.js).
 */
export const entry = (name: string, url: string): URL =>
  new URL(
    url.endsWith(".ts") ? `./${name}.ts` : `./${name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase()}.js`,
    url
  )

/** How often the task of a thread that died is given to another. Reason: one that kills must not go round. */
const retries = 1

const open = <Task, Result>({
  abandoned,
  file,
  given,
  heap,
  idle,
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
      // One that is being ended may still answer.
      if (asked === undefined) return
      if (reuse) hold(thread, undefined)
      else end(thread)
      asked.end(Effect.succeed(result))
      serve()
    })
    worker.on("error", (error) => void (why = error.message))
    // Follows an error as well. Only now its place is free: its memory counts until then.
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

  /** Has the thread at `asked`, or idle, as long as it may. */
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

  /** Gives back what it was at. */
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
      // The oldest each time, so that the others come to their idle end.
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
      thread.worker.postMessage(task)
      given?.(task)
      hold(thread, asked)
    } catch (defect) {
      // A task that cannot be made or copied, or a machine that starts no more threads: in a timer nobody would catch
      // it.
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
