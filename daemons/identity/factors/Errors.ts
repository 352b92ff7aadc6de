/** Problems of the second-factor endpoints, besides those of signing in. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration, FieldProblem } from "#core/http/Problem.ts"

/** 409: this factor is already set up; remove it before setting it up again. */
export class FactorActive extends HttpApiError.Problem<FactorActive>()(
  "FactorActive",
  declaration("factor_active", 409, "This second factor is already set up"),
  codeField("factor_active")
) {}

/** 409: recovery codes need a second factor, and none is set up. */
export class NoSecondFactor extends HttpApiError.Problem<NoSecondFactor>()(
  "NoSecondFactor",
  declaration("no_second_factor", 409, "No second factor is set up"),
  codeField("no_second_factor")
) {}

/** 409: this installation has no messenger that could send codes. */
export class MessengerNotConfigured extends HttpApiError.Problem<MessengerNotConfigured>()(
  "MessengerNotConfigured",
  declaration("messenger_not_configured", 409, "This installation has no messenger that sends codes"),
  codeField("messenger_not_configured")
) {}

/** 403: the account has no password to verify its owner, and the session is not recent. */
export class RecentSignInRequired extends HttpApiError.Problem<RecentSignInRequired>()(
  "RecentSignInRequired",
  declaration("recent_sign_in_required", 403, "This change requires a recent sign-in"),
  codeField("recent_sign_in_required")
) {}

/** 422: the code is wrong, used or expired, or no factor is waiting for confirmation. */
export class InvalidCode extends HttpApiError.Problem<InvalidCode>()(
  "InvalidCode",
  declaration("invalid_code", 422, "The code is invalid"),
  { ...codeField("invalid_code"), errors: Schema.Array(FieldProblem) }
) {}

export const invalidCode = () =>
  new InvalidCode({ errors: [{ field: "payload.code", message: "is wrong, already used or expired" }] })

/** 429: too many codes were sent to this chat or account; `retry-after` says when the next may be sent. */
export class TooManyCodes extends HttpApiError.Problem<TooManyCodes>()(
  "TooManyCodes",
  declaration("too_many_requests", 429, "Too many codes were sent"),
  codeField("too_many_requests")
) {}
