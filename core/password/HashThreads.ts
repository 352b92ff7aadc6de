/**
 * A pool of hashing threads with a short queue. Node's asynchronous argon2 is not used: it shares libuv's four threads
 * with token verification, so a few sign-ins would block every request. Knows nothing of passwords; its errors contain
 * no part of a job.
 */
import { Duration, Effect, Schema, type Scope } from "effect"
import * as WorkerThreads from "../supervision/WorkerThreads.ts"
import type { Argon2Job } from "./Argon2.ts"

/** Nothing was hashed; a retry may succeed (503). `detail` contains nothing of the job. */
export class Busy extends Schema.TaggedError<Busy>()("Busy", {
  reason: Schema.Literals(["Full", "TimedOut", "Broken", "Stopped"]),
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

export interface HashThreads {
  /**
   * Hashes one job. `job` is called when a thread is free, and its password is wiped after the hand-over. Interrupting
   * a waiting call removes it from the queue.
   */
  readonly hash: (job: () => Argon2Job) => Effect.Effect<Uint8Array, Busy>
  /** Number of threads running now. */
  readonly alive: () => number
}

export type HashThreadsOptions = Pick<
  WorkerThreads.WorkerThreadsOptions<Argon2Job>,
  "file" | "threads" | "queue" | "timeout"
>

/** Heap of a thread. Unit: MiB. Reason: argon2 allocates outside the heap, which holds only a few small arrays. */
const threadHeap = 16

/** How long an idle thread is kept. Unit: minutes. Reason: a new thread starts in a tenth of a second. */
const idleThread = Duration.minutes(5)

/** Threads end with the scope; waiting callers then fail with `Stopped`. */
export const make = (options: HashThreadsOptions): Effect.Effect<HashThreads, never, Scope.Scope> =>
  Effect.map(
    // Argon2 cannot be interrupted and takes little time, so a thread finishes an abandoned job.
    WorkerThreads.make<Argon2Job, Uint8Array>({
      ...options,
      heap: threadHeap,
      idle: idleThread,
      abandoned: "finish",
      given: (job) => job.password.fill(0)
    }),
    ({ alive, run }) => ({ alive, hash: (job) => Effect.mapError(run(job), busy) })
  )

/** The original message of a dead thread is dropped, because node quotes arguments in some messages. */
const busy = ({ message, reason }: WorkerThreads.ThreadError): Busy =>
  new Busy({ reason, detail: reason === "Broken" ? "a hashing thread ended early" : message })
