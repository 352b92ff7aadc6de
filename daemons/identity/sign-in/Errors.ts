import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 401: the password is correct; a second factor is required in `code`, one of `methods`. */
export class SecondFactorRequired extends HttpApiError.Problem<SecondFactorRequired>()(
  "SecondFactorRequired",
  declaration("second_factor_required", 401, "A second factor is required"),
  { ...codeField("second_factor_required"), methods: Schema.Array(Schema.Literals(["totp", "messenger"])) }
) {}

/** 401: the refresh token is invalid; the reason is not disclosed. */
export class InvalidRefreshToken extends HttpApiError.Problem<InvalidRefreshToken>()(
  "InvalidRefreshToken",
  declaration("invalid_refresh_token", 401, "The refresh token is invalid"),
  codeField("invalid_refresh_token")
) {}

/** 401: the link was used, replaced, has expired or never existed. */
export class InvalidLink extends HttpApiError.Problem<InvalidLink>()(
  "InvalidLink",
  declaration("invalid_link", 401, "The sign-in link is invalid"),
  codeField("invalid_link")
) {}
