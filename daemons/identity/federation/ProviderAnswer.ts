/**
 * From a provider's answer to whom it vouches for: the code is exchanged and the ID token checked, by openid-client.
 */
import { Effect } from "effect"
import * as oidc from "openid-client"
import { OutboundHttpError } from "#core/http/OutboundHttpError.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { FederationRefused, type Reason } from "./FederationRefused.ts"
import { issuerKey } from "./Settings.ts"
import { shownError } from "./Providers.ts"

/** Somebody at a provider. */
export interface OutsideIdentity {
  /** As `issuerKey` writes it. */
  readonly issuer: string
  /** Unit: at most 255 characters. Source: OpenID Connect Core §2. */
  readonly subject: string
  /** As the provider tells it, normalised; undefined when there is none one can sign in with. */
  readonly email: string | undefined
  /** The provider has made sure that the address is theirs. */
  readonly emailVerified: boolean
}

/** As they come; a provider may write anything. */
interface EmailClaims {
  readonly email?: unknown
  readonly email_verified?: unknown
  readonly [other: string]: unknown
}

/** Unit: characters. Source: OpenID Connect Core §2, `sub`. */
const maxSubject = 255

export interface Answer {
  readonly configuration: oidc.Configuration
  /** Where we asked to be answered, with the query that came. */
  readonly url: URL
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export const identityOf = Effect.fnUntraced(function* ({ configuration, nonce, state, url, verifier }: Answer) {
  const tokens = yield* Effect.tryPromise({
    try: () =>
      oidc.authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true
      }),
    catch: (error) => new FederationRefused({ reason: reasonOf(error), detail: shownError(error) })
  })
  const claims = tokens.claims()
  if (claims === undefined || claims.sub.length > maxSubject)
    return yield* new FederationRefused({ reason: "id_token", detail: "no usable subject" })
  const told: EmailClaims =
    claims.email === undefined ? yield* asked(configuration, tokens.access_token, claims.sub) : claims
  return {
    issuer: issuerKey(configuration.serverMetadata().issuer),
    subject: claims.sub,
    email: typeof told.email === "string" ? normaliseEmail(told.email) : undefined,
    // Some write it as text.
    emailVerified: told.email_verified === true || told.email_verified === "true"
  } satisfies OutsideIdentity
})

/**
 * Claims of a scope come with the user info, unless the provider puts them into the ID token. Source: OpenID Connect
 * Core §5.4.
 */
const asked = (configuration: oidc.Configuration, accessToken: string, subject: string) =>
  configuration.serverMetadata().userinfo_endpoint === undefined
    ? Effect.succeed<EmailClaims>({})
    : Effect.tryPromise({
        try: (): Promise<EmailClaims> => oidc.fetchUserInfo(configuration, accessToken, subject),
        catch: shownError
      }).pipe(
        Effect.catch((error) =>
          // Whoever is connected needs no address.
          Effect.as(Effect.logWarning(`a provider's user info cannot be read: ${error}`), {} as EmailClaims)
        )
      )

/** What an error of the library means. */
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
    // Only the parameters of the answer are kept in this form; state and duplicates were looked at before.
    if ("parameters" in inner && inner.parameters instanceof URLSearchParams) return "issuer"
  }
  return "id_token"
}
