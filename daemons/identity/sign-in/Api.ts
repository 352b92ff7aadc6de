import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { InvalidRequest, Unavailable } from "#core/http/Problem.ts"
import {
  Code,
  CrossSiteRequest,
  InvalidCredentials,
  Password,
  SignInLinks,
  text,
  TooManyTries
} from "../sessions/Exports.ts"
import { InvalidLink, InvalidRefreshToken, SecondFactorRequired } from "./Errors.ts"
import { auth } from "./own-account/Api.ts"
import { AsCookie, Tokens } from "./TokenSchemas.ts"

/** Longest accepted e-mail address. Unit: characters. Source: RFC 5321 §4.5.3.1: 64, the at-sign, and 255. */
const maxEmail = 320

/** Longest accepted refresh token. Unit: characters. Reason: ours have 47. */
const maxRefreshToken = 128

const error = [InvalidRequest, Unavailable] as const

/** Public endpoints: ways to sign in. */
export const signIn = HttpApiGroup.make("sign-in")
  .add(
    HttpApiEndpoint.post("login", "/login", {
      payload: Schema.Struct({
        email: text(maxEmail),
        password: Password,
        code: Schema.optionalKey(Code),
        cookie: AsCookie
      }),
      success: Tokens,
      error: [...error, InvalidCredentials, CrossSiteRequest, SecondFactorRequired, TooManyTries]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Sign in with a password",
        description:
          "Answers an access token (Authorization: Bearer) and a refresh token. 401 `second_factor_required`: the " +
          "account has a second factor and `code` is absent; `methods` lists the factors, and a messenger code is " +
          "sent. 401 `invalid_credentials`: any other refusal, without details. 429: too many failed attempts for " +
          "the account or from the address (AUTH_RATE_LIMIT_MAX within AUTH_RATE_LIMIT_WINDOW seconds); the " +
          "credentials are not checked. `cookie: true` returns the refresh token as a cookie; only Signalbox's own " +
          "pages may use it (403 `cross_site_request`)."
      })
    ),
    HttpApiEndpoint.post("refresh", "/refresh", {
      payload: Schema.Struct({ refresh_token: Schema.optionalKey(text(maxRefreshToken)) }),
      success: Tokens,
      error: [...error, InvalidRefreshToken, CrossSiteRequest]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Exchange a refresh token for new tokens",
        description:
          "Each refresh token is valid once. A second use means that the token was copied: its session ends with all " +
          "its tokens (RFC 9700 §4.14.2). Without `refresh_token` the cookie of the sign-in is used and replaced. A " +
          "cookie that another tab replaced within the last ten seconds gets only an access token. 422: the body and " +
          "the cookie contain different tokens."
      })
    ),
    HttpApiEndpoint.post("link", "/link", {
      payload: Schema.Struct({ token: text(SignInLinks.maxLinkToken), cookie: AsCookie }),
      success: Tokens,
      error: [...error, InvalidLink, CrossSiteRequest]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Sign in by a one-time link",
        description:
          "Takes the token of a link, the part of its address after #, and opens a session. A link is valid once " +
          "and replaces the second factor. Links come from the first start, an invitation, a password reset, or a " +
          "sign-in through an external provider. `cookie`: as for `/login`."
      })
    ),
    HttpApiEndpoint.get("welcome", "/welcome", {
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html; charset=utf-8" }))
    }).annotateMerge(
      OpenApi.annotations({
        summary: "HTML page of a one-time link",
        description:
          "Reads the token from the fragment of the address, which browsers do not send, and lets the user set a " +
          "password. In German or English, by Accept-Language."
      })
    )
  )
  .prefix("/api/v1/auth")

export const SignInApi = Api.make("sign-in").add(signIn).add(auth)
