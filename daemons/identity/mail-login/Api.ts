import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiError, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Authentication } from "#core/auth/Authentication.ts"
import { UsersOnly } from "#core/auth/Permissions.ts"
import { codeField, declaration, NotFound } from "#core/http/Problem.ts"

/** Longest address in a request. Unit: characters. Source: RFC 5321 §4.5.3.1.3. */
const maxAddress = 254

export const MailTokenRequest = Schema.Struct({
  /** A mail account of the user; default: the user's default account. */
  email: Schema.optionalKey(Schema.String.pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(maxAddress))))
})

export const MailTokenResponse = Schema.Struct({
  access_token: Schema.String,
  token_type: Schema.Literal("Bearer"),
  /** Lifetime of the token. Unit: seconds. */
  expires_in: Schema.Int,
  email: Schema.String
}).annotate({ identifier: "MailTokenResponse" })

/** 409: the mail account belongs to the caller but is suspended. */
export class MailAccountSuspended extends HttpApiError.Problem<MailAccountSuspended>()(
  "MailAccountSuspended",
  declaration("mail_account_suspended", 409, "The mail account is suspended"),
  codeField("mail_account_suspended")
) {}

/** Tokens for mail clients. */
export const mailTokens = HttpApiGroup.make("mail-tokens")
  .add(
    HttpApiEndpoint.post("mailToken", "/mail-token", {
      // Schema.Null accepts a request without body.
      payload: [MailTokenRequest, Schema.Null],
      success: MailTokenResponse,
      error: [NotFound, MailAccountSuspended]
    })
      .annotate(UsersOnly, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a token for the mail server",
          description:
            "For XOAUTH2 or OAUTHBEARER and one active mail account of the caller. Valid for an hour, and no " +
            "longer than the session of this request. 404: the caller has no such mail account.",
          override: { security: [{ user: [] }] }
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/auth")

const OAuthError = (status: 400 | 401 | 413 | 415 | 503) =>
  Schema.Struct({ error: Schema.String, error_description: Schema.String }).pipe(HttpApiSchema.status(status))

/** Called by the mail server. The fast lane answers it (Introspection.ts); declared here for the API documents. */
export const introspection = HttpApiGroup.make("introspection")
  .add(
    HttpApiEndpoint.post("introspect", "/token/introspect", {
      payload: Schema.Struct({ token: Schema.String }).pipe(HttpApiSchema.asFormUrlEncoded()),
      success: Schema.Union([
        Schema.Struct({
          active: Schema.Literal(true),
          username: Schema.String,
          scope: Schema.String,
          token_type: Schema.Literal("Bearer"),
          exp: Schema.Int
        }),
        Schema.Struct({ active: Schema.Literal(false) })
      ]),
      error: [OAuthError(400), OAuthError(401), OAuthError(413), OAuthError(415), OAuthError(503)]
    })
      .annotateMerge(Api.foreignBody)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Introspect a mail token (RFC 7662)",
          description:
            "For the mail server. The caller authenticates by client credentials (HTTP Basic, or the form fields " +
            "client_id and client_secret) or by x-service-token. The secret is a service token of scope " +
            "introspection or platform. The caller's address must be in SIGNALBOX_INTROSPECTION_ALLOW_CIDRS. " +
            '200 {"active":false}: the token is malformed, expired, revoked or of another type, or its mail account ' +
            "is suspended or deleted. Errors are OAuth errors (RFC 6749 §5.2), not problem details."
        })
      )
  )
  .prefix("/api/v1/auth")

export const MailLoginApi = Api.make("mail-login").add(mailTokens).add(introspection)
