/**
 * Hashes and verifies passwords in threads of their own. A verification without a stored hash (no such user, or one
 * without a password) does the same work against a hash of nothing, so that time does not tell whom we know.
 *
 * Call it outside transactions: a hash takes tens of milliseconds, and longer when others wait.
 */
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { randomBytes, timingSafeEqual } from "node:crypto"
import { besideTheLoop, entry } from "../supervision/WorkerThreads.ts"
import * as HashThreads from "./HashThreads.ts"
import { type Argon2Parameters, encode, hashBytes, parse, presentParameters, saltBytes } from "./PasswordHash.ts"
import { prepare } from "./PasswordRules.ts"

/**
 * Threads at most. Unit: threads. Reason: 4 × 19 MiB of memory, and about 150 sign-ins a second; beyond that the
 * throttle is at work.
 */
const maxThreads = 4

/** Hashes that may wait. Unit: jobs. Reason: on one thread about two seconds, which somebody signing in still waits. */
export const maxWaiting = 64

/**
 * How long one hash may take. Unit: seconds. Reason: the dearest that a stored hash may ask for takes about one on a
 * slow core.
 */
const hashTimeout = Duration.seconds(10)

export class Passwords extends Context.Service<
  Passwords,
  {
    /** The text to store. Its form is PasswordHash's. */
    readonly hash: (password: Redacted.Redacted) => Effect.Effect<string, HashThreads.Busy>
    /** Whether `password` is the one behind `stored`; never without `stored`, and after the same work. */
    readonly verify: (
      password: Redacted.Redacted,
      stored: string | undefined
    ) => Effect.Effect<boolean, HashThreads.Busy>
  }
>()("signalbox/core/Passwords") {}

/** What tests set otherwise. */
export interface PasswordsOptions extends Partial<HashThreads.HashThreadsOptions> {
  readonly parameters?: Argon2Parameters
}

export const make = Effect.fnUntraced(function* ({
  parameters = presentParameters,
  ...options
}: PasswordsOptions = {}) {
  const threads = yield* HashThreads.make({
    file: entry("argon2Worker", import.meta.url),
    threads: besideTheLoop(maxThreads),
    queue: maxWaiting,
    timeout: hashTimeout,
    ...options
  })
  // The hash of no password: nobody knows one that gives these bytes, and `verify` would not believe it.
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
