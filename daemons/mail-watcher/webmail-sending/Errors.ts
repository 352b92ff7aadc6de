/** Errors of sending mail. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 413: the mail with its attachments, or the account's uploads, exceed a limit. Unit of `limit`: bytes. */
export class TooLarge extends HttpApiError.Problem<TooLarge>()(
  "TooLarge",
  declaration("too_large", 413, "The content is too large"),
  { ...codeField("too_large"), limit: Schema.Int }
) {}

/** 429: the account exceeded its sending rate. */
export class SendingTooFast extends HttpApiError.Problem<SendingTooFast>()(
  "SendingTooFast",
  declaration("sending_too_fast", 429, "The account has reached its sending limit"),
  codeField("sending_too_fast")
) {}

/** 422: the mail server refused all recipients; `rejected` holds its answers. Nothing was sent. */
export class RecipientsRefused extends HttpApiError.Problem<RecipientsRefused>()(
  "RecipientsRefused",
  declaration("recipients_refused", 422, "The mail server refused all recipients"),
  {
    ...codeField("recipients_refused"),
    rejected: Schema.Array(Schema.Struct({ address: Schema.String, detail: Schema.String }))
  }
) {}

/** 409: the same request is still running. */
export class SendingUnderWay extends HttpApiError.Problem<SendingUnderWay>()(
  "SendingUnderWay",
  declaration("sending_under_way", 409, "This mail is being sent"),
  codeField("sending_under_way")
) {}

/**
 * 409: the connection broke while the mail server had the mail, so the outcome is unknown. The mail is not sent again.
 * `message_id` identifies it.
 */
export class OutcomeUnknown extends HttpApiError.Problem<OutcomeUnknown>()(
  "OutcomeUnknown",
  declaration("sending_outcome_unknown", 409, "The outcome of sending is unknown"),
  { ...codeField("sending_outcome_unknown"), message_id: Schema.String }
) {}
