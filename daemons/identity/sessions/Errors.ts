import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 401: no sign-in with these. The same for an unknown user, a wrong password or code, a suspended account or tenant. */
export class InvalidCredentials extends HttpApiError.Problem<InvalidCredentials>()(
  "InvalidCredentials",
  declaration("invalid_credentials", 401, "E-mail address, password or code is wrong"),
  codeField("invalid_credentials")
) {}

/** 401: the password is right, and one of these second factors is needed as `code`. */
export class SecondFactorRequired extends HttpApiError.Problem<SecondFactorRequired>()(
  "SecondFactorRequired",
  declaration("second_factor_required", 401, "A second factor is needed"),
  { ...codeField("second_factor_required"), methods: Schema.Array(Schema.Literals(["totp", "messenger"])) }
) {}

/** 401: the refresh token opens nothing; why is not told. */
export class InvalidRefreshToken extends HttpApiError.Problem<InvalidRefreshToken>()(
  "InvalidRefreshToken",
  declaration("invalid_refresh_token", 401, "The refresh token is not valid"),
  codeField("invalid_refresh_token")
) {}

/** 401: the link was used, has expired, was replaced or never was. */
export class InvalidLink extends HttpApiError.Problem<InvalidLink>()(
  "InvalidLink",
  declaration("invalid_link", 401, "The sign-in link is not valid"),
  codeField("invalid_link")
) {}

/** 429: too many failed tries; `retry-after` says when the next is looked at. */
export class TooManyTries extends HttpApiError.Problem<TooManyTries>()(
  "TooManyTries",
  declaration("too_many_requests", 429, "Too many failed tries"),
  codeField("too_many_requests")
) {}

/** 409: the mail account is the caller's, and it does not work at the moment. */
export class MailAccountSuspended extends HttpApiError.Problem<MailAccountSuspended>()(
  "MailAccountSuspended",
  declaration("mail_account_suspended", 409, "The mail account is suspended"),
  codeField("mail_account_suspended")
) {}

/** 409: without this connection its owner could not sign in any more. */
export class LastWayIn extends HttpApiError.Problem<LastWayIn>()(
  "LastWayIn",
  declaration("last_way_in", 409, "This is the last way to sign in"),
  codeField("last_way_in")
) {}

/** 503: the outside provider does not answer. */
export class ProviderUnavailable extends HttpApiError.Problem<ProviderUnavailable>()(
  "ProviderUnavailable",
  declaration("provider_unavailable", 503, "The outside provider does not answer"),
  codeField("provider_unavailable")
) {}

/** 403: a request that the cookie of a sign-in speaks for, and that no page of ours made, or that does not say it is JSON. */
export class CrossSiteRequest extends HttpApiError.Problem<CrossSiteRequest>()(
  "CrossSiteRequest",
  declaration("cross_site_request", 403, "A sign-in by cookie is for our own pages"),
  codeField("cross_site_request")
) {}
