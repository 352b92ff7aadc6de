import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: the mail account belongs to the caller but is suspended. */
export class MailAccountSuspended extends HttpApiError.Problem<MailAccountSuspended>()(
  "MailAccountSuspended",
  declaration("mail_account_suspended", 409, "The mail account is suspended"),
  codeField("mail_account_suspended")
) {}
