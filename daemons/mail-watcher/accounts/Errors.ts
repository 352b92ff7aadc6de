/** What mail-watcher refuses, beyond wrong input and missing permissions. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 503: the mailbox's server cannot be reached, or breaks off; the same may succeed later. */
export class MailServerUnavailable extends HttpApiError.Problem<MailServerUnavailable>()(
  "MailServerUnavailable",
  declaration("mail_server_unavailable", 503, "The mail server does not answer"),
  codeField("mail_server_unavailable")
) {}

/** 409: the mail server does not let us in: a changed password, a suspended mailbox. */
export class MailSignInRefused extends HttpApiError.Problem<MailSignInRefused>()(
  "MailSignInRefused",
  declaration("mail_sign_in_refused", 409, "The mail server refuses the sign-in"),
  codeField("mail_sign_in_refused")
) {}

/** 409: the mail server refuses this: a folder that may not be written, a quota that is full. */
export class MailRefused extends HttpApiError.Problem<MailRefused>()(
  "MailRefused",
  declaration("mail_refused", 409, "The mail server refuses this"),
  codeField("mail_refused")
) {}

/** 422: a platform caller names no account, or somebody without a mail account asks for theirs. */
export class AccountNeeded extends HttpApiError.Problem<AccountNeeded>()(
  "AccountNeeded",
  declaration("account_needed", 422, "Name the mail account"),
  {
    ...codeField("account_needed"),
    errors: Schema.Array(Schema.Struct({ field: Schema.String, message: Schema.String }))
  }
) {}

/** 409: a mailbox of our own mail server; its address, password and end are its administrator's business. */
export class OwnAccount extends HttpApiError.Problem<OwnAccount>()(
  "OwnAccount",
  declaration("own_account", 409, "This mailbox is one of ours"),
  codeField("own_account")
) {}

/** 409: the user has an account of this address. */
export class WebmailAddressTaken extends HttpApiError.Problem<WebmailAddressTaken>()(
  "WebmailAddressTaken",
  declaration("account_taken", 409, "There is an account of this address"),
  codeField("account_taken")
) {}

/** 409: the user has as many accounts as one may have. */
export class TooManyAccounts extends HttpApiError.Problem<TooManyAccounts>()(
  "TooManyAccounts",
  declaration("too_many_accounts", 409, "There are too many accounts"),
  { ...codeField("too_many_accounts"), limit: Schema.Int }
) {}

/** What every endpoint about an account's mail may answer beside its own errors. */
export const mailErrors = [MailServerUnavailable, MailSignInRefused, MailRefused, AccountNeeded] as const
