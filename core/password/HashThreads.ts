/**
 * A few threads that hash, and a short queue before them. Threads, not node's own asynchronous argon2: that works on libuv's
 * four threads, where tokens are verified too, and a handful of sign-ins would hold up every request.
 *
 * A thread is started when there is work for it. One that dies is replaced with the next job; its own is tried once more.
 * Knows nothing of passwords; nothing it says holds a part of a job.
 */
import { Duration, Effect, Schema, type Scope } from "effect"
import { Worker } from "node:worker_threads"
import type { Argon2Job } from "./Argon2.ts"

/** Nothing was hashed; the same may succeed in a moment (503). `detail` holds nothing of the job. */
export class Busy extends Schema.TaggedError<Busy>()("Busy", {
  reason: Schema.Literals(["Full", "TimedOut", "Broken", "Stopped"]),
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

export interface HashThreads {
  /** `job` is made when a thread takes it, and its password wiped once it is handed over. An interrupted call gives up its place in the queue. */
  readonly hash: (job: () => Argon2Job) => Effect.Effect<Uint8Array, Busy>
  /** Threads that live now. */
  readonly alive: () => number
}

export interface HashThreadsOptions {
  /** The worker's entry. */
  readonly file: URL
  /** Threads at most. */
  readonly threads: number
  /** Jobs that may wait for a thread. */
  readonly queue: number
  /** How long one job may take once a thread has it. */
  readonly timeout: Duration.Duration
}

/** The threads end with the scope; whoever still waits fails with `Stopped`. */
export const make = (options: HashThreadsOptions): Effect.Effect<HashThreads, never, Scope.Scope> =>
  Effect.acquireRelease(Effect.sync(() => open(options)), (threads) => Effect.promise(threads.close))

/** Heap of a thread. Unit: MiB. Reason: argon2's memory is not of the heap; what is left are a few small arrays. */
const threadHeap = 16

/** How often a job is given to a thread. Reason: a thread may die of another cause, but a job that kills must not go round. */
const attempts = 2

interface Task {
  readonly job: () => Argon2Job
  readonly end: (result: Effect.Effect<Uint8Array, Busy>) => void
  given: number
}

interface Thread {
  readonly worker: Worker
  task: Task | undefined
  timer: NodeJS.Timeout | undefined
}

const open = ({ file, queue, threads: most, timeout }: HashThreadsOptions): HashThreads & { readonly close: () => Promise<void> } => {
  const threads = new Set<Thread>()
  const waiting: Array<Task> = []
  let stopped = false

  const spawn = (): Thread => {
    const worker = new Worker(file, { execArgv: [], env: {}, resourceLimits: { maxOldGenerationSizeMb: threadHeap } })
    const thread: Thread = { worker, task: undefined, timer: undefined }
    threads.add(thread)
    worker.on("message", (hash: Uint8Array) => {
      const task = put(thread)
      task?.end(Effect.succeed(hash))
      serve()
    })
    // The error's text is not handed on: node writes arguments into some.
    worker.on("error", () => lost(thread))
    worker.on("exit", () => lost(thread))
    return thread
  }

  /** Takes the task from the thread, which is idle then. */
  const put = (thread: Thread): Task | undefined => {
    clearTimeout(thread.timer)
    const { task } = thread
    thread.task = undefined
    return task
  }

  const lost = (thread: Thread): void => {
    if (!threads.delete(thread)) return
    const task = put(thread)
    if (task !== undefined && task.given < attempts) waiting.unshift(task)
    else task?.end(Effect.fail(new Busy({ reason: "Broken", detail: "a hashing thread ended early" })))
    serve()
  }

  const give = (thread: Thread, task: Task): void => {
    task.given += 1
    thread.task = task
    thread.timer = setTimeout(() => {
      threads.delete(thread)
      put(thread)?.end(Effect.fail(new Busy({ reason: "TimedOut", detail: `hashing took more than ${Duration.format(timeout)}` })))
      void thread.worker.terminate()
      serve()
    }, Duration.toMillis(timeout))
    const job = task.job()
    thread.worker.postMessage(job)
    job.password.fill(0)
  }

  const serve = (): void => {
    while (waiting.length > 0) {
      const idle = Array.from(threads).find((thread) => thread.task === undefined) ?? (threads.size < most ? spawn() : undefined)
      if (idle === undefined) return
      give(idle, waiting.shift()!)
    }
  }

  return {
    alive: () => threads.size,
    hash: (job) =>
      Effect.callback<Uint8Array, Busy>((resume) => {
        if (stopped) return resume(Effect.fail(new Busy(stopping)))
        if (waiting.length >= queue) return resume(Effect.fail(new Busy({ reason: "Full", detail: `${queue} hashes wait already` })))
        const task: Task = { job, end: resume, given: 0 }
        waiting.push(task)
        serve()
        return Effect.sync(() => {
          const at = waiting.indexOf(task)
          if (at !== -1) waiting.splice(at, 1)
        })
      }),
    close: async () => {
      stopped = true
      const ended = Array.from(threads)
      threads.clear()
      for (const task of [...ended.map(put), ...waiting.splice(0)]) task?.end(Effect.fail(new Busy(stopping)))
      await Promise.all(ended.map((thread) => thread.worker.terminate()))
    }
  }
}

const stopping = { reason: "Stopped", detail: "hashing has stopped" } as const
