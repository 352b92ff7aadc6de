/**
 * The seam where user tokens are verified. `identity` issues them; a daemon that serves users is given a verifier.
 * Without one, users cannot sign in and service tokens still work.
 */
import { Context, Effect, Layer, type Redacted, Schema } from "effect"
import type { CallerInfo } from "./Caller.ts"

/** The token is not one we accept; `reason` is for the log, never for the caller. */
export class TokenRefused extends Schema.TaggedError<TokenRefused>()("TokenRefused", { reason: Schema.String }) {}

export class UserVerifier extends Context.Service<UserVerifier, {
  readonly verify: (token: Redacted.Redacted) => Effect.Effect<CallerInfo & { readonly kind: "user" }, TokenRefused>
}>()("signalbox/core/auth/UserVerifier") {
  /** Refuses every user token. */
  static readonly layerNone: Layer.Layer<UserVerifier> = Layer.succeed(
    UserVerifier,
    UserVerifier.of({
      verify: () => Effect.fail(new TokenRefused({ reason: "this process verifies no user tokens" }))
    })
  )
}
