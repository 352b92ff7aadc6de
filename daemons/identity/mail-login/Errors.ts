import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 409: the mail account is the caller's, and it does not work at the moment. */
export class MailAccountSuspended extends HttpApiError.Problem<MailAccountSuspended>()(
  "MailAccountSuspended",
  declaration("mail_account_suspended", 409, "The mail account is suspended"),
  codeField("mail_account_suspended")
) {}
