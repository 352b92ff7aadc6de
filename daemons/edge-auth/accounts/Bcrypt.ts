/**
 * Hashes of passwords: bcrypt at cost 12 (interface document 3 §2.2), computed in libuv's threads. Somebody unknown costs the same as a
 * wrong password, so that time does not tell whom we know.
 */
import { hash, verify } from "@node-rs/bcrypt"
import { Context, Effect, Layer, Redacted, Schema, Semaphore } from "effect"

export const cost = 12

/** Longest password. Unit: bytes in UTF-8. Source: bcrypt reads no more. */
export const maxPassword = 72

/** Hashes at once. Unit: hashes. Reason: libuv has four threads, and files and names are to be read beside them. */
const atOnce = 2

/** Hashes that may wait. Unit: hashes. Reason: about five seconds of them, which somebody signing in still waits. */
const mostWaiting = 32

/** Too many sign-ins at once. A retry can help. */
export class Busy extends Schema.TaggedError<Busy>()("Busy", {}) {}

export class Bcrypt extends Context.Service<Bcrypt, {
  readonly hash: (password: Redacted.Redacted) => Effect.Effect<string, Busy>
  /** Whether `password` is the one behind `stored`; never without `stored`, and after the same work. */
  readonly verify: (password: Redacted.Redacted, stored: string | undefined) => Effect.Effect<boolean, Busy>
}>()("signalbox/edge-auth/Bcrypt") {}

/** Whether bcrypt takes it: it stops reading at a NUL and after 72 bytes. Pure. */
export const isHashable = (password: string): boolean => !password.includes("\0") && Buffer.byteLength(password) <= maxPassword

export const layer: Layer.Layer<Bcrypt> = Layer.effect(
  Bcrypt,
  Effect.gen(function*() {
    const turns = yield* Semaphore.make(atOnce)
    let waiting = 0
    const inTurn = <A>(work: () => Promise<A>): Effect.Effect<A, Busy> =>
      Effect.suspend(() => {
        if (waiting >= atOnce + mostWaiting) return Effect.fail(new Busy())
        waiting += 1
        return Effect.ensuring(turns.withPermits(1)(Effect.promise(work)), Effect.sync(() => (waiting -= 1)))
      })
    const nobody = yield* Effect.promise(() => hash(crypto.randomUUID(), { cost }))
    return Bcrypt.of({
      hash: (password) => inTurn(() => hash(Redacted.value(password), { cost })),
      verify: (password, stored) =>
        inTurn(async () => {
          const given = Redacted.value(password)
          const good = await verify(isHashable(given) ? given : "", stored ?? nobody).catch(() => false)
          return good && stored !== undefined && isHashable(given)
        })
    })
  })
)
