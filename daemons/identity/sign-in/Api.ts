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
          "Answers an access token (Authorization: Bearer) and a refresh token. Where a second factor is set up and no `code` is " +
          "given: 401 `second_factor_required` with its `methods`, and a messenger code is on its way. Everything that is wrong is answered " +
          "401 `invalid_credentials` alike. After too many failed tries (AUTH_RATE_LIMIT_MAX within AUTH_RATE_LIMIT_WINDOW seconds, of one " +
          "account or from one address): 429, and nothing is looked at. With `cookie: true` the refresh token comes as a cookie instead, for " +
          "our own pages only (403 `cross_site_request`)."
      })
    ),
    HttpApiEndpoint.post("refresh", "/refresh", {
      payload: Schema.Struct({ refresh_token: Schema.optionalKey(text(maxRefreshToken)) }),
      success: Tokens,
      error: [...error, InvalidRefreshToken, CrossSiteRequest]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a refresh token for new tokens",
        description:
          "Each refresh token is good once. One that comes a second time was copied: its session ends, and with it every token " +
          "given out in it (RFC 9700 §4.14.2). Without `refresh_token` the cookie of the sign-in is used, and the next one set; a cookie that " +
          "another tab has changed within the last ten seconds is answered an access token only. A token and another one as a cookie: 422."
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
          "Takes the token of a link (the part after # of its address) and opens a session, once. Links come from the first start, " +
          "an invitation, a reset, or the way back from an outside provider; they stand for the second factor, too. `cookie` as at `/login`."
      })
    ),
    HttpApiEndpoint.get("welcome", "/welcome", {
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html; charset=utf-8" }))
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The page behind a one-time link",
        description:
          "For people. Reads the token from the address's fragment, which no server sees, and lets them choose a password. " +
          "In German or English, as Accept-Language asks."
      })
    )
  )
  .prefix("/api/v1/auth")

export const SignInApi = Api.make("sign-in").add(signIn).add(auth)
