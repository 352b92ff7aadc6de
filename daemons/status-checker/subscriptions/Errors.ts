import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 503: mail is not configured; `settings` names the missing variables. */
export class MailNotConfigured extends HttpApiError.Problem<MailNotConfigured>()(
  "MailNotConfigured",
  declaration("not_configured", 503, "This status page does not send mail"),
  { ...codeField("not_configured"), settings: Schema.Array(Schema.String) }
) {}

/** 429: too many subscription requests from one network; `retry-after` tells when to retry. */
export class TooManySignUps extends HttpApiError.Problem<TooManySignUps>()(
  "TooManySignUps",
  declaration("too_many_requests", 429, "Too many requests; try again later"),
  codeField("too_many_requests")
) {}
