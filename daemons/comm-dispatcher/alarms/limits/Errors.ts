import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 429: the tenant has requested as many calls as it may within an hour. */
export class CallLimitReached extends HttpApiError.Problem<CallLimitReached>()(
  "CallLimitReached",
  declaration("call_limit_reached", 429, "The tenant has reached its limit of calls"),
  {
    ...codeField("call_limit_reached"),
    /** Seconds until the oldest call of the hour no longer counts. */
    retry_after: Schema.Int
  }
) {}
