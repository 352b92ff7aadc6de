import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 503: this page sends no mail, because a setting is missing; `settings` are the variables to set. */
export class MailNotConfigured extends HttpApiError.Problem<MailNotConfigured>()(
  "MailNotConfigured",
  declaration("not_configured", 503, "This status page does not send mail"),
  { ...codeField("not_configured"), settings: Schema.Array(Schema.String) }
) {}

/** 429: too many wishes to subscribe from one network; `retry-after` says when the next is taken. */
export class TooManySignUps extends HttpApiError.Problem<TooManySignUps>()(
  "TooManySignUps",
  declaration("too_many_requests", 429, "Too many requests; slow down"),
  codeField("too_many_requests")
) {}
