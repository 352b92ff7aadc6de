/**
 * Hashes of passwords: bcrypt at cost 12 (interface document 3 §2.2), in threads of their own. Somebody unknown costs
 * the same as a wrong password, so that time does not tell whom we know.
 */
import { Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import * as WorkerThreads from "#core/supervision/WorkerThreads.ts"
import type { BcryptTask } from "./bcryptWorker.ts"

export const cost = 12

/** Longest password. Unit: bytes in UTF-8. Source: bcrypt reads no more. */
export const maxPassword = 72

/**
 * Threads at most. Unit: threads. Reason: some eight sign-ins a second; beyond that whoever tries is made to wait
 * anyway.
 */
const maxThreads = 2

/**
 * Hashes that may wait. Unit: hashes. Reason: about ten seconds of them on one thread, which somebody signing in still
 * waits.
 */
const maxWaiting = 32

/** How long one may take. Unit: seconds. Reason: a quarter of one on a free core. */
const timeout = Duration.seconds(10)

/** How long a thread stays when there is nothing to do. Unit: minutes. */
const idle = Duration.minutes(5)

/** Heap of a thread. Unit: MiB. Reason: bcrypt's tables are 4 KB; what is left is the code. */
const heap = 16

/** Of random bytes: the hash that is compared where nobody is known. */
const nobody = "$2b$12$eImiTXuWVxfM37uY4JANjQOPZ9/8RRVQ0M4sNTvKlHFt4vT0CVMKG"

/**
 * What is compared beside a hash of a lower cost (one that was imported), so that a wrong password takes as long for it
 * as for nobody: a cost of c is 2^c rounds, and 2^c + 2^c + 2^(c+1) + … + 2^11 = 2^12. Pure.
 */
export const fillersOf = (stored: string): ReadonlyArray<string> => {
  const own = Number(/^\$2[aby]\$(\d\d)\$/.exec(stored)?.[1] ?? cost)
  return Array.from({ length: Math.max(0, cost - Math.max(own, 4)) }, (_, index) =>
    nobody.replace(`$${cost}$`, `$${String(Math.max(own, 4) + index).padStart(2, "0")}$`)
  )
}

/** Too many sign-ins at once. A retry can help. */
export class Busy extends Schema.TaggedError<Busy>()("Busy", {}) {}

export class Bcrypt extends Context.Service<
  Bcrypt,
  {
    readonly hash: (password: Redacted.Redacted) => Effect.Effect<string, Busy>
    /** Whether `password` is the one behind `stored`; never without `stored`, and after the same work. */
    readonly verify: (password: Redacted.Redacted, stored: string | undefined) => Effect.Effect<boolean, Busy>
  }
>()("signalbox/edge-auth/Bcrypt") {}

/** Whether bcrypt reads all of it: it stops at a NUL and after 72 bytes. Pure. */
export const isHashable = (password: string): boolean =>
  !password.includes("\0") && Buffer.byteLength(password) <= maxPassword

export const layer: Layer.Layer<Bcrypt> = Layer.effect(
  Bcrypt,
  Effect.gen(function* () {
    const file = WorkerThreads.entry("bcryptWorker", import.meta.url)
    const threads = yield* WorkerThreads.make<BcryptTask, string | boolean>({
      file,
      threads: WorkerThreads.besideTheLoop(maxThreads),
      queue: maxWaiting,
      timeout,
      idle,
      heap,
      abandoned: "finish"
    })
    const run = (password: string, against: string | undefined) =>
      Effect.mapError(
        threads.run(() => ({ password, cost, against, beside: against === undefined ? [] : fillersOf(against) })),
        () => new Busy()
      )
    return Bcrypt.of({
      hash: (password) => Effect.map(run(Redacted.value(password), undefined), String),
      verify: (password, stored) => {
        const typed = Redacted.value(password)
        const whole = isHashable(typed)
        return Effect.map(
          run(whole ? typed : "", stored ?? nobody),
          (fits) => fits === true && whole && stored !== undefined
        )
      }
    })
  })
)
