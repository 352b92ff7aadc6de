import { Effect } from "effect"
import type { SecretError } from "#core/config/Secrets.ts"
import { Unavailable } from "#core/http/Problem.ts"

/** Answers 503 for a second factor whose envelope cannot be opened, and logs why: only the operator can mend it. */
export const factorUnreadable = (error: SecretError): Effect.Effect<never, Unavailable> =>
  Effect.andThen(
    Effect.logError(`a secret of the second factor: ${error.message}`),
    Effect.fail(new Unavailable({ detail: "The second factor cannot be looked at." }))
  )
