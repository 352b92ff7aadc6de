/**
 * Hashes and verifies passwords in worker threads. Without a stored hash (unknown user, or a user without a password),
 * verification does the same work on a random hash. So the response time does not reveal which users exist.
 *
 * Call it outside transactions: a hash takes tens of milliseconds, and more under load.
 */
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { randomBytes, timingSafeEqual } from "node:crypto"
import { besideTheLoop, entry } from "../supervision/WorkerThreads.ts"
import * as HashThreads from "./HashThreads.ts"
import { type Argon2Parameters, encode, hashBytes, parse, presentParameters, saltBytes } from "./PasswordHash.ts"
import { prepare } from "./PasswordRules.ts"

/**
 * Maximum number of threads. Reason: 4 × 19 MiB of memory and about 150 sign-ins a second; above that the throttle
 * refuses sign-ins.
 */
const maxThreads = 4

/**
 * Maximum number of waiting hashes. Reason: about two seconds of work on one thread, which is acceptable for a sign-in.
 */
export const maxWaiting = 64

/**
 * How long one hash may take. Unit: seconds. Reason: the most expensive accepted hash takes about one second on a slow
 * core.
 */
const hashTimeout = Duration.seconds(10)

export class Passwords extends Context.Service<
  Passwords,
  {
    /** Hashes a password. The result is the text to store, in the format of PasswordHash.ts. */
    readonly hash: (password: Redacted.Redacted) => Effect.Effect<string, HashThreads.Busy>
    /** Whether `password` matches `stored`. Without `stored` always false, after the same work. */
    readonly verify: (
      password: Redacted.Redacted,
      stored: string | undefined
    ) => Effect.Effect<boolean, HashThreads.Busy>
  }
>()("signalbox/core/Passwords") {}

/** Parameters of new hashes. Tests whose subject is not the cost provide lower ones. */
export const Argon2Cost = Context.Reference<Argon2Parameters>("signalbox/core/Argon2Cost", {
  defaultValue: () => presentParameters
})

/** `options`: those that tests override. */
export const make = Effect.fnUntraced(function* (options: Partial<HashThreads.HashThreadsOptions> = {}) {
  const parameters = yield* Argon2Cost
  const threads = yield* HashThreads.make({
    file: entry("argon2Worker", import.meta.url),
    threads: besideTheLoop(maxThreads),
    queue: maxWaiting,
    timeout: hashTimeout,
    ...options
  })
  // Stand-in for a missing stored hash: random bytes, and `verify` returns false whatever matches them.
  const nobody = { parameters, salt: randomBytes(saltBytes), hash: randomBytes(hashBytes) }
  const bytesOf = (password: Redacted.Redacted) => new TextEncoder().encode(prepare(Redacted.value(password)))
  return Passwords.of({
    hash: (password) =>
      Effect.suspend(() => {
        const salt = randomBytes(saltBytes)
        return Effect.map(
          threads.hash(() => ({ password: bytesOf(password), salt, parameters, length: hashBytes })),
          (hash) => encode({ parameters, salt, hash })
        )
      }),
    verify: Effect.fnUntraced(function* (password, stored) {
      const known = stored === undefined ? undefined : parse(stored)
      if (stored !== undefined && known === undefined)
        yield* Effect.logError("a stored password hash cannot be read; its owner has to set a new password")
      const against = known ?? nobody
      const hash = yield* threads.hash(() => ({
        password: bytesOf(password),
        salt: against.salt,
        parameters: against.parameters,
        length: against.hash.length
      }))
      return timingSafeEqual(hash, against.hash) && known !== undefined
    })
  })
})

export const layer: Layer.Layer<Passwords> = Layer.effect(Passwords, make())
