/**
 * Limits attempts to prove a password. An attempt counts as failed from its start, so that concurrent attempts cannot
 * exceed the limit. An attempt that ends without a verdict no longer counts.
 */
import { Cause, Context, Effect, Exit, Layer, Predicate } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { SqlError } from "effect/sql"
import { retryAfter } from "#core/http/AnswerHeaders.ts"
import type { Client } from "#core/http/Client.ts"
import { Unavailable } from "#core/http/Problem.ts"
import type { SecretError } from "#core/config/Secrets.ts"
import { InvalidCredentials, TooManyTries } from "../Errors.ts"
import type { Busy } from "#core/password/HashThreads.ts"
import { AccessRefusals } from "../AccessRefusals.ts"
import { Throttle } from "./Throttle.ts"

/** Retry-After when all hash threads are busy. Unit: seconds. */
const busyRetry = 2

type Request = HttpServerRequest.HttpServerRequest

/** Additional errors of a bounded attempt. */
type AttemptError<E> = Exclude<E, Busy> | TooManyTries | Unavailable | SecretError | SqlError.SqlError

export class CredentialAttempts extends Context.Service<
  CredentialAttempts,
  {
    /**
     * Runs an attempt, unless too many were made at this account or from this address. `email`: normalised, else as
     * typed. An attempt stays counted when it fails with `InvalidCredentials` or its client disconnects. `proved`:
     * success proves all factors and resets the count.
     */
    readonly attempt: <A, E, R>(
      email: string,
      client: Client,
      attempt: Effect.Effect<A, E | Busy, R>,
      options?: { readonly proved: boolean }
    ) => Effect.Effect<A, AttemptError<E>, R | Request>
    /** Runs work of the hash threads that is not an attempt. Fails with 503 when they are busy. */
    readonly orBusy: <A, E, R>(
      work: Effect.Effect<A, E | Busy, R>
    ) => Effect.Effect<A, Exclude<E, Busy> | Unavailable, R | Request>
  }
>()("signalbox/identity/CredentialAttempts") {}

const isBusy = (error: unknown): error is Busy => Predicate.isTagged(error, "Busy")

const orBusy = <A, E, R>(
  work: Effect.Effect<A, E | Busy, R>
): Effect.Effect<A, Exclude<E, Busy> | Unavailable, R | Request> =>
  Effect.catch(work, (error): Effect.Effect<never, Exclude<E, Busy> | Unavailable, Request> =>
    isBusy(error)
      ? Effect.andThen(
          retryAfter(busyRetry),
          Effect.fail(new Unavailable({ detail: "Too many sign-ins at once; try again in a moment." }))
        )
      : Effect.fail(error as Exclude<E, Busy>)
  )

/** Whether the attempt ended without proving a wrong credential. Only such an attempt is given back. Pure. */
export const isUndecided = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.length > 0 &&
  exit.cause.reasons.every((reason) => Cause.isFailReason(reason) && !(reason.error instanceof InvalidCredentials))

export const layer: Layer.Layer<CredentialAttempts, never, Throttle | AccessRefusals> = Layer.effect(
  CredentialAttempts,
  Effect.gen(function* () {
    const throttle = yield* Throttle
    const refusals = yield* AccessRefusals

    const limitAttempt = Effect.fnUntraced(function* <A, E, R>(
      email: string,
      client: Client,
      attempt: Effect.Effect<A, E | Busy, R>,
      options = { proved: false }
    ) {
      const reservation = yield* Effect.catchTag(throttle.reserve(email, client.address), "Throttled", (throttled) =>
        Effect.gen(function* () {
          yield* refusals.tell({ kind: "throttled", address: client.address })
          yield* retryAfter(throttled.retryAfter)
          return yield* new TooManyTries({ detail: `Try again in ${throttled.retryAfter} s.` })
        })
      )
      return yield* Effect.onExit(orBusy(attempt), (exit) =>
        // Failures are ignored: a count that cannot be corrected ends with its window.
        Exit.isSuccess(exit) && options.proved
          ? Effect.ignore(throttle.succeeded(reservation))
          : Exit.isSuccess(exit) || isUndecided(exit)
            ? Effect.ignore(throttle.release(reservation))
            : Effect.void
      )
    })
    return CredentialAttempts.of({ attempt: limitAttempt, orBusy })
  })
)
