/**
 * Exchanges the code of a provider's response and validates the ID token, with openid-client. Returns the user's
 * identity at the provider.
 */
import { Effect } from "effect"
import * as oidc from "openid-client"
import { OutboundHttpError } from "#core/http/OutboundHttpError.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { FederationRefused, type Reason } from "./FederationRefused.ts"
import { issuerKey } from "./Settings.ts"
import { describeError } from "./Providers.ts"

/** Identity of a user at a provider. */
export interface ProviderIdentity {
  /** Issuer in the form of `issuerKey`. */
  readonly issuer: string
  /** Subject, at most 255 characters. Source: OpenID Connect Core §2. */
  readonly subject: string
  /** Normalised address from the provider; undefined when it is missing or unusable for signing in. */
  readonly email: string | undefined
  /** Whether the provider has verified the address. */
  readonly emailVerified: boolean
}

/** Unchecked claims; a provider may send any values. */
interface EmailClaims {
  readonly email?: unknown
  readonly email_verified?: unknown
  readonly [other: string]: unknown
}

/** Longest subject. Unit: characters. Source: OpenID Connect Core §2, `sub`. */
const maxSubject = 255

export interface CodeExchange {
  readonly configuration: oidc.Configuration
  /** Callback URL with the received query. */
  readonly url: URL
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export const identityOf = Effect.fnUntraced(function* ({ configuration, nonce, state, url, verifier }: CodeExchange) {
  const tokens = yield* Effect.tryPromise({
    try: () =>
      oidc.authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true
      }),
    catch: (error) => new FederationRefused({ reason: reasonOf(error), detail: describeError(error) })
  })
  const claims = tokens.claims()
  if (claims === undefined || claims.sub.length > maxSubject)
    return yield* new FederationRefused({ reason: "id_token", detail: "missing or invalid subject" })
  const emailClaims: EmailClaims =
    claims.email === undefined ? yield* fetchEmailClaims(configuration, tokens.access_token, claims.sub) : claims
  return {
    issuer: issuerKey(configuration.serverMetadata().issuer),
    subject: claims.sub,
    email: typeof emailClaims.email === "string" ? normaliseEmail(emailClaims.email) : undefined,
    // Some providers send the value as text.
    emailVerified: emailClaims.email_verified === true || emailClaims.email_verified === "true"
  } satisfies ProviderIdentity
})

/**
 * Requests the user info, which contains the claims of a scope unless the ID token has them. Source: OpenID Connect
 * Core §5.4.
 */
const fetchEmailClaims = (configuration: oidc.Configuration, accessToken: string, subject: string) =>
  configuration.serverMetadata().userinfo_endpoint === undefined
    ? Effect.succeed<EmailClaims>({})
    : Effect.tryPromise({
        try: (): Promise<EmailClaims> => oidc.fetchUserInfo(configuration, accessToken, subject),
        catch: describeError
      }).pipe(
        Effect.catch((error) =>
          // A connected account needs no address, so the sign-in continues.
          Effect.as(Effect.logWarning(`the user info of a provider cannot be read: ${error}`), {} as EmailClaims)
        )
      )

/** Maps an error of the library to a reason. */
const reasonOf = (error: unknown): Reason => {
  if (error instanceof oidc.AuthorizationResponseError)
    return error.error === "access_denied" ? "denied" : "provider_error"
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.WWWAuthenticateChallengeError) return "code"
  for (
    let inner: unknown = error;
    typeof inner === "object" && inner !== null;
    inner = "cause" in inner ? inner.cause : undefined
  ) {
    if (inner instanceof OutboundHttpError) return "away"
    if ("code" in inner && (inner.code === "OAUTH_TIMEOUT" || inner.code === "OAUTH_ABORT")) return "away"
    if (inner instanceof Response) return inner.status >= 500 ? "away" : "code"
    if ("claim" in inner && inner.claim === "nonce") return "nonce"
    // A cause of this form is a wrong issuer parameter, because state and duplicate parameters were checked before.
    if ("parameters" in inner && inner.parameters instanceof URLSearchParams) return "issuer"
  }
  return "id_token"
}
