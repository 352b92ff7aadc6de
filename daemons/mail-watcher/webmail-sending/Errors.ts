/** What changing and sending is refused for, beyond what any mail may meet (Errors.ts). */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 404: the folder to move to is not there. */
export class TargetUnknown extends HttpApiError.Problem<TargetUnknown>()(
  "TargetUnknown",
  declaration("target_folder_unknown", 404, "There is no such folder to move to"),
  codeField("target_folder_unknown")
) {}

/** 409: a folder of this name is there. */
export class FolderTaken extends HttpApiError.Problem<FolderTaken>()(
  "FolderTaken",
  declaration("folder_taken", 409, "There is a folder of this name"),
  codeField("folder_taken")
) {}

/** 409: this folder is needed as it is: INBOX always, one with a use (sent, drafts, trash, …) unless `force` says otherwise. */
export class FolderProtected extends HttpApiError.Problem<FolderProtected>()(
  "FolderProtected",
  declaration("folder_protected", 409, "This folder is needed as it is"),
  codeField("folder_protected")
) {}

/** 413: the mail with its attachments, or the uploads of an account, pass a bound. Unit of `limit`: bytes. */
export class TooLarge extends HttpApiError.Problem<TooLarge>()(
  "TooLarge",
  declaration("too_large", 413, "This is too large"),
  { ...codeField("too_large"), limit: Schema.Int }
) {}

/** 429: the account has sent as much as it may for now. */
export class SendingTooFast extends HttpApiError.Problem<SendingTooFast>()(
  "SendingTooFast",
  declaration("sending_too_fast", 429, "This account has sent too much for now"),
  codeField("sending_too_fast")
) {}

/** 422: the mail server takes the mail for none of its recipients; `rejected` says what it said of each. Nothing was sent. */
export class RecipientsRefused extends HttpApiError.Problem<RecipientsRefused>()(
  "RecipientsRefused",
  declaration("recipients_refused", 422, "The mail server refuses every recipient"),
  {
    ...codeField("recipients_refused"),
    rejected: Schema.Array(Schema.Struct({ address: Schema.String, detail: Schema.String }))
  }
) {}

/** 409: the same request is being worked on at this moment. */
export class SendingUnderWay extends HttpApiError.Problem<SendingUnderWay>()(
  "SendingUnderWay",
  declaration("sending_under_way", 409, "This mail is being sent"),
  codeField("sending_under_way")
) {}

/** 409: nobody knows whether the mail server took the mail; it is not sent a second time. `message_id` is what to look for. */
export class OutcomeUnknown extends HttpApiError.Problem<OutcomeUnknown>()(
  "OutcomeUnknown",
  declaration("sending_outcome_unknown", 409, "It is not known whether the mail was sent"),
  { ...codeField("sending_outcome_unknown"), message_id: Schema.String }
) {}
