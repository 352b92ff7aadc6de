import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/**
 * 401: no sign-in with these. The same for an unknown user, a wrong password or code, a suspended account or tenant.
 */
export class InvalidCredentials extends HttpApiError.Problem<InvalidCredentials>()(
  "InvalidCredentials",
  declaration("invalid_credentials", 401, "E-mail address, password or code is wrong"),
  codeField("invalid_credentials")
) {}

/** 429: too many failed tries; `retry-after` says when the next is looked at. */
export class TooManyTries extends HttpApiError.Problem<TooManyTries>()(
  "TooManyTries",
  declaration("too_many_requests", 429, "Too many failed tries"),
  codeField("too_many_requests")
) {}

/**
 * 403: a request that the cookie of a sign-in speaks for, and that no page of ours made, or that does not say it is
 * JSON.
 */
export class CrossSiteRequest extends HttpApiError.Problem<CrossSiteRequest>()(
  "CrossSiteRequest",
  declaration("cross_site_request", 403, "A sign-in by cookie is for our own pages"),
  codeField("cross_site_request")
) {}
