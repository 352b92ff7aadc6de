/** Errors of payment webhooks. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 403: the signature is missing or wrong. */
export class WrongSignature extends HttpApiError.Problem<WrongSignature>()(
  "WrongSignature",
  declaration("wrong_signature", 403, "The signature is missing or wrong"),
  codeField("wrong_signature")
) {}

/** 403: without a secret, only this machine may send events; `settings` names the variables to set. */
export class NoWebhookSecret extends HttpApiError.Problem<NoWebhookSecret>()(
  "NoWebhookSecret",
  declaration("no_webhook_secret", 403, "No secret is configured for this payment provider"),
  { ...codeField("no_webhook_secret"), settings: Schema.Array(Schema.String) }
) {}

/** 429: too many events from one address. */
export class TooManyEvents extends HttpApiError.Problem<TooManyEvents>()(
  "TooManyEvents",
  declaration("too_many_requests", 429, "Too many events; try again later"),
  codeField("too_many_requests")
) {}
