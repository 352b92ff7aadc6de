import { Effect } from "effect"
import { Unavailable } from "#core/http/Problem.ts"
import type { SecretError } from "#core/config/Secrets.ts"
import type { NoSigningKey } from "#core/auth/Signer.ts"

/** Without a key no token can be made: logged for the operator; the caller may try again. */
export const signingBroke = <A, E, R>(
  effect: Effect.Effect<A, E | NoSigningKey | SecretError, R>
): Effect.Effect<A, Exclude<E, NoSigningKey | SecretError> | Unavailable, R> =>
  Effect.catchTag(effect as Effect.Effect<A, NoSigningKey | SecretError, R>, ["NoSigningKey", "SecretError"], (error) =>
    Effect.andThen(
      Effect.logError(`no token can be made: ${error.message}`),
      Effect.fail(new Unavailable({ detail: "Tokens cannot be made right now." }))
    )
  ) as never
