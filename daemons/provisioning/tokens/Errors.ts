/** Refusals of the tokens' endpoints. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 403: the user has a permission that the caller lacks, so the link would give it to the caller. */
export class RoleExceeds extends HttpApiError.Problem<RoleExceeds>()(
  "RoleExceeds",
  declaration("role_exceeds_own", 403, "The user may do more than you"),
  { ...codeField("role_exceeds_own"), permission: Schema.String }
) {}

/** 409: the user is suspended. */
export class UserNotActive extends HttpApiError.Problem<UserNotActive>()(
  "UserNotActive",
  declaration("user_not_active", 409, "The user is suspended"),
  codeField("user_not_active")
) {}

/** 409: the user has `limit` unused tokens. */
export class TooManyTokens extends HttpApiError.Problem<TooManyTokens>()(
  "TooManyTokens",
  declaration("too_many_tokens", 409, "The user has too many unused links"),
  { ...codeField("too_many_tokens"), limit: Schema.Int }
) {}
