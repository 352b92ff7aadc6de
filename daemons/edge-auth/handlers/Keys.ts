import { Effect } from "effect"
import { Unavailable } from "#core/http/Problem.ts"
import type { SecretError } from "#core/config/Secrets.ts"

/** A secret that cannot be opened is for the operator to mend; whoever waits for it is told to come again. */
export const keysOrUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E | SecretError, R>
): Effect.Effect<A, Exclude<E, SecretError> | Unavailable, R> =>
  Effect.catchTag(effect as Effect.Effect<A, SecretError, R>, "SecretError", (error) =>
    Effect.andThen(
      Effect.logError(`a secret of the second factor: ${error.message}`),
      Effect.fail(new Unavailable({ detail: "The second factor cannot be looked at." }))
    )
  ) as never
