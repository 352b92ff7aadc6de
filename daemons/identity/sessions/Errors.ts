import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/**
 * 401: the sign-in was refused. Same answer for an unknown user, a wrong password or code, and a suspended account or
 * tenant.
 */
export class InvalidCredentials extends HttpApiError.Problem<InvalidCredentials>()(
  "InvalidCredentials",
  declaration("invalid_credentials", 401, "Wrong e-mail address, password or code"),
  codeField("invalid_credentials")
) {}

/** 429: too many failed attempts; `retry-after` says when the next one is accepted. */
export class TooManyTries extends HttpApiError.Problem<TooManyTries>()(
  "TooManyTries",
  declaration("too_many_requests", 429, "Too many failed attempts"),
  codeField("too_many_requests")
) {}

/**
 * 403: a request authenticated by the sign-in cookie that was not sent by our own pages, or is not declared as JSON.
 */
export class CrossSiteRequest extends HttpApiError.Problem<CrossSiteRequest>()(
  "CrossSiteRequest",
  declaration("cross_site_request", 403, "Only Signalbox's own pages may use the sign-in cookie"),
  codeField("cross_site_request")
) {}
