import { Effect, Predicate } from "effect"
import { Unavailable } from "#core/http/Problem.ts"
import type { SecretError } from "#core/config/Secrets.ts"
import type { NoSigningKey } from "#core/auth/Signer.ts"

/** Turns a failure to sign a token into `Unavailable` and logs the reason for the operator; the caller may retry. */
export const orSigningUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E | NoSigningKey | SecretError, R>
): Effect.Effect<A, Exclude<E, NoSigningKey | SecretError> | Unavailable, R> =>
  Effect.catch(effect, (error): Effect.Effect<never, Exclude<E, NoSigningKey | SecretError> | Unavailable> =>
    isSigningError(error)
      ? Effect.andThen(
          Effect.logError(`no token can be signed: ${error.message}`),
          Effect.fail(new Unavailable({ detail: "Tokens cannot be signed at the moment; try again later." }))
        )
      : Effect.fail(error as Exclude<E, NoSigningKey | SecretError>)
  )

const isSigningError = (error: unknown): error is NoSigningKey | SecretError =>
  Predicate.isTagged(error, "NoSigningKey") || Predicate.isTagged(error, "SecretError")
