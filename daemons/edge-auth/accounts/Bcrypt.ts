/**
 * Password hashing with bcrypt at cost 12 (interface document 3 §2.2) in worker threads. An unknown user takes as long
 * as a wrong password, so that response times do not reveal which accounts exist.
 */
import { Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import * as WorkerThreads from "#core/supervision/WorkerThreads.ts"
import type { BcryptTask } from "./bcryptWorker.ts"

/** Cost of new hashes: 2^12 rounds. Tests whose subject is not the cost provide a lower one. */
export const BcryptCost = Context.Reference<number>("signalbox/edge-auth/BcryptCost", { defaultValue: () => 12 })

/** Lowest cost of bcrypt. */
const minCost = 4

/** Longest password. Unit: bytes in UTF-8. Reason: bcrypt ignores further bytes. */
export const maxPassword = 72

/** Maximum number of threads. Reason: two threads do about eight sign-ins a second. */
const maxThreads = 2

/** Maximum number of waiting hashes. Reason: one thread needs about ten seconds for them, and users wait that long. */
const maxWaiting = 32

/**
 * Most registrations that wait for their hash. Registrations have a thread and a queue of their own, so that they do
 * not delay sign-ins.
 */
const maxRegistrations = 4

/** Time limit of one hash. Reason: far above the quarter of a second that a free core needs. */
const timeout = Duration.seconds(10)

/** Time after which an idle thread ends. */
const idle = Duration.minutes(5)

/** Heap of a thread. Unit: MiB. Reason: the tables of bcrypt take 4 KB, the rest is for the code. */
const heap = 16

/** Hash of random bytes, compared when the address has no account. */
const nobodyOf = (cost: number) =>
  `$2b$${String(cost).padStart(2, "0")}$eImiTXuWVxfM37uY4JANjQOPZ9/8RRVQ0M4sNTvKlHFt4vT0CVMKG`

/**
 * Hashes compared in addition to an imported hash of a lower cost, so that a wrong password always takes equally long.
 * A cost of c means 2^c rounds, and 2^c + 2^c + 2^(c+1) + … + 2^11 = 2^12. Pure.
 */
export const fillersOf = (stored: string, cost: number): ReadonlyArray<string> => {
  const own = Math.max(costOf(stored) ?? cost, minCost)
  return Array.from({ length: Math.max(0, cost - own) }, (_, index) => nobodyOf(own + index))
}

/** Whether a hash has another cost than ours, so that a right password replaces it. Pure. */
export const isOutdated = (stored: string, cost: number): boolean => costOf(stored) !== cost

/** Cost of a hash; undefined: not a hash of bcrypt. */
const costOf = (stored: string): number | undefined => {
  const [, digits] = /^\$2[aby]\$(\d\d)\$/.exec(stored) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Too many sign-ins at once. A retry can help. */
export class Busy extends Schema.TaggedError<Busy>()("Busy", {}) {}

export class Bcrypt extends Context.Service<
  Bcrypt,
  {
    readonly hash: (password: Redacted.Redacted) => Effect.Effect<string, Busy>
    /** Whether `password` matches `stored`. False without `stored`, after the same work. */
    readonly verify: (password: Redacted.Redacted, stored: string | undefined) => Effect.Effect<boolean, Busy>
  }
>()("signalbox/edge-auth/Bcrypt") {}

/** Whether bcrypt reads the whole password: it stops at a NUL and after 72 bytes. Pure. */
export const isHashable = (password: string): boolean =>
  !password.includes("\0") && Buffer.byteLength(password) <= maxPassword

export const layer: Layer.Layer<Bcrypt> = Layer.effect(
  Bcrypt,
  Effect.gen(function* () {
    const cost = yield* BcryptCost
    const nobody = nobodyOf(cost)
    const file = WorkerThreads.entry("bcryptWorker", import.meta.url)
    const pool = (threads: number, queue: number) =>
      WorkerThreads.make<BcryptTask, string | boolean>({
        file,
        threads,
        queue,
        timeout,
        idle,
        heap,
        abandoned: "finish"
      })
    const signIns = yield* pool(WorkerThreads.besideTheLoop(maxThreads), maxWaiting)
    const registrations = yield* pool(1, maxRegistrations)
    const run = (password: string, against: string | undefined) =>
      Effect.mapError(
        (against === undefined ? registrations : signIns).run(() => ({
          password,
          cost,
          against,
          beside: against === undefined ? [] : fillersOf(against, cost)
        })),
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
