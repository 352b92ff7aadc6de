import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 429: the user or the tenant has requested support as often as permitted within an hour. */
export class SupportLimitReached extends HttpApiError.Problem<SupportLimitReached>()(
  "SupportLimitReached",
  declaration("support_limit_reached", 429, "Too many requests for support within an hour"),
  {
    ...codeField("support_limit_reached"),
    /** Seconds until the next request is accepted. */
    retry_after: Schema.Int
  }
) {}
