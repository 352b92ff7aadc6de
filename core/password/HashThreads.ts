/**
 * A few threads that hash, and a short queue before them. Threads, not node's own asynchronous argon2: that works on
 * libuv's four threads, where tokens are verified too, and a handful of sign-ins would hold up every request. Knows
 * nothing of passwords; nothing it says holds a part of a job.
 */
import { Duration, Effect, Schema, type Scope } from "effect"
import * as WorkerThreads from "../supervision/WorkerThreads.ts"
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
  /**
   * `job` is made when a thread takes it, and its password wiped once it is handed over. An interrupted call gives up
   * its place in the queue.
   */
  readonly hash: (job: () => Argon2Job) => Effect.Effect<Uint8Array, Busy>
  /** Threads that live now. */
  readonly alive: () => number
}

export type HashThreadsOptions = Pick<
  WorkerThreads.WorkerThreadsOptions<Argon2Job>,
  "file" | "threads" | "queue" | "timeout"
>

/** Heap of a thread. Unit: MiB. Reason: argon2's memory is not of the heap; what is left are a few small arrays. */
const threadHeap = 16

/**
 * How long a thread stays when there is nothing to do. Unit: minutes. Reason: it is there again in a tenth of a second.
 */
const idleThread = Duration.minutes(5)

/** The threads end with the scope; whoever still waits fails with `Stopped`. */
export const make = (options: HashThreadsOptions): Effect.Effect<HashThreads, never, Scope.Scope> =>
  Effect.map(
    // Argon2 cannot be stopped half way, and is done in a moment: a thread finishes what nobody waits for any more.
    WorkerThreads.make<Argon2Job, Uint8Array>({
      ...options,
      heap: threadHeap,
      idle: idleThread,
      abandoned: "finish",
      given: (job) => job.password.fill(0)
    }),
    ({ alive, run }) => ({ alive, hash: (job) => Effect.mapError(run(job), busy) })
  )

/** What a thread died of is not handed on: node writes arguments into some messages. */
const busy = ({ message, reason }: WorkerThreads.ThreadError): Busy =>
  new Busy({ reason, detail: reason === "Broken" ? "a hashing thread ended early" : message })
