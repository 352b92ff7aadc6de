/** Refusals of fetches. */
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/**
 * 409: nothing can be fetched for the account now. `detail` says why: the keys are not ready, nobody accepted the keys
 * of the bank, the keys of the bank changed, or the account is suspended, deactivated or has no connection.
 */
export class AccountNotReady extends HttpApiError.Problem<AccountNotReady>()(
  "AccountNotReady",
  declaration("account_not_ready", 409, "Statements of this account cannot be fetched now"),
  codeField("account_not_ready")
) {}

/** 429: the tenant has requested as many fetches as it may within an hour; `retry-after` says when to retry. */
export class TooManyFetches extends HttpApiError.Problem<TooManyFetches>()(
  "TooManyFetches",
  declaration("too_many_fetches", 429, "Too many fetches were requested"),
  codeField("too_many_fetches")
) {}
