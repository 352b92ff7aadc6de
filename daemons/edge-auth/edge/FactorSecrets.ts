import { Effect } from "effect"
import type { SecretError } from "#core/config/Secrets.ts"
import { Unavailable } from "#core/http/Problem.ts"

/** Answers 503 when the envelope of a second factor cannot be opened, and logs the reason for the operator. */
export const factorUnreadable = (error: SecretError): Effect.Effect<never, Unavailable> =>
  Effect.andThen(
    Effect.logError(`cannot open a secret of a second factor: ${error.message}`),
    Effect.fail(new Unavailable({ detail: "The second factor cannot be checked now." }))
  )
