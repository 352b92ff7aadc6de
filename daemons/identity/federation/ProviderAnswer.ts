/**
 * Exchanges the code of a provider's response, with openid-client. The user's identity at the provider comes from the
 * validated ID token; from the user info for a provider without OpenID Connect.
 */
import { Effect } from "effect"
import * as oidc from "openid-client"
import { OutboundHttpError } from "#core/http/OutboundHttpError.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { FederationRefused, type Reason } from "./FederationRefused.ts"
import { issuerKey, type PlainOAuth, type ProviderSettings } from "./Settings.ts"
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
  readonly provider: ProviderSettings
  readonly configuration: oidc.Configuration
  /** Callback URL with the received query. */
  readonly url: URL
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export const identityOf = (exchange: CodeExchange): Effect.Effect<ProviderIdentity, FederationRefused> =>
  exchange.provider.plain === undefined ? openidIdentity(exchange) : plainIdentity(exchange, exchange.provider.plain)

const openidIdentity = Effect.fnUntraced(function* ({ configuration, nonce, state, url, verifier }: CodeExchange) {
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
 * Identity from the user info, for a provider without ID tokens. The request uses the access token of this exchange, so
 * the answer describes the user who has just signed in.
 */
const plainIdentity = Effect.fnUntraced(function* (
  { configuration, provider, state, url, verifier }: CodeExchange,
  { emailField, subjectField, userinfoUrl, verifiedField }: PlainOAuth
) {
  const info = yield* Effect.tryPromise({
    try: async (): Promise<unknown> => {
      const checks = { expectedState: state, pkceCodeVerifier: verifier }
      const { access_token: token } = await oidc.authorizationCodeGrant(configuration, url, checks)
      const headers = new Headers({ accept: "application/json" })
      const answer = await oidc.fetchProtectedResource(configuration, token, new URL(userinfoUrl), "GET", null, headers)
      if (!answer.ok) throw new Error("the user info is refused", { cause: answer })
      return await answer.json()
    },
    catch: (error) => new FederationRefused({ reason: reasonOf(error), detail: describeError(error) })
  })
  const subject = fieldOf(info, subjectField)
  if ((typeof subject !== "string" && !Number.isSafeInteger(subject)) || !isSubject(String(subject)))
    return yield* new FederationRefused({ reason: "provider_error", detail: `the user info has no ${subjectField}` })
  const email = fieldOf(info, emailField)
  const verified = verifiedField === undefined ? undefined : fieldOf(info, verifiedField)
  return {
    issuer: issuerKey(provider.issuer),
    subject: String(subject),
    email: typeof email === "string" ? normaliseEmail(email) : undefined,
    emailVerified: verified === true || verified === "true"
  } satisfies ProviderIdentity
})

const isSubject = (text: string): boolean => text !== "" && text.length <= maxSubject

/** Own member of nested objects. Pure. */
export const fieldOf = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (inner, name) =>
        typeof inner === "object" && inner !== null && Object.hasOwn(inner, name)
          ? (inner as Readonly<Record<string, unknown>>)[name]
          : undefined,
      value
    )

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
