/**
 * The user of an access token. Each process verifies tokens itself, with the keys and ended sessions in the projection
 * of Standing. No daemon has to ask another one, and the daemon that issues tokens may be away.
 */
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import type { NotFresh } from "../lane/Projection.ts"
import type { CallerInfo } from "./Caller.ts"
import { permissionsOf } from "./Roles.ts"
import { Standing } from "./Standing.ts"
import type { AccessClaims } from "./TokenClaims.ts"
import { isRefusal, make, refusals } from "./TokenVerifier.ts"

type User = Extract<CallerInfo, { readonly kind: "user" }>

/** The token is not accepted; `reason` is for the log, never for the caller. */
export class TokenRefused extends Schema.TaggedError<TokenRefused>()("TokenRefused", {
  reason: Schema.Literals(refusals)
}) {}

export class UserVerifier extends Context.Service<
  UserVerifier,
  {
    /** Fails with `NotFresh` when the database is away, because the state of the session is then unknown. */
    readonly verify: (token: Redacted.Redacted) => Effect.Effect<User, TokenRefused | NotFresh>
    /**
     * The user of an already verified token, for the fast lane. The caller has checked that the projection is fresh.
     */
    readonly findNow: (token: string) => User | undefined
  }
>()("signalbox/core/auth/UserVerifier") {
  /** Refuses every user token. */
  static readonly layerNone: Layer.Layer<UserVerifier> = Layer.succeed(
    UserVerifier,
    UserVerifier.of({
      verify: () => Effect.fail(new TokenRefused({ reason: "unknown_key" })),
      findNow: () => undefined
    })
  )

  static readonly layer: Layer.Layer<UserVerifier, never, Standing> = Layer.effect(
    UserVerifier,
    Effect.map(Standing, (standing) => {
      const verifier = make("access", standing, callerOf)
      const outcome = (token: string) =>
        Effect.suspend(() => {
          const known = verifier.known(token, Date.now())
          return known ? Effect.succeed(known) : Effect.promise(() => verifier.verify(token, Date.now()))
        })
      return UserVerifier.of({
        verify: Effect.fnUntraced(function* (presented) {
          const token = Redacted.value(presented)
          yield* standing.ensureWhenBusy
          let found = yield* outcome(token)
          if (found === "unknown_key") {
            // The key may be newer than the projection.
            yield* standing.refreshWhenBusy
            found = yield* outcome(token)
          }
          if (isRefusal(found)) return yield* new TokenRefused({ reason: found })
          return found
        }),
        findNow: (token) => verifier.known(token, Date.now()) || undefined
      })
    })
  )
}

/** The user that an access token names. */
const callerOf = ({ role, session, tenantId, userId }: AccessClaims): User => ({
  kind: "user",
  userId,
  tenantId,
  role,
  session,
  permissions: permissionsOf[role]
})
