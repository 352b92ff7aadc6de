/** Errors about accounts and their mail servers. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"

/** 503: the mail server cannot be reached or the connection broke. A retry may succeed. */
export class MailServerUnavailable extends HttpApiError.Problem<MailServerUnavailable>()(
  "MailServerUnavailable",
  declaration("mail_server_unavailable", 503, "The mail server does not answer"),
  codeField("mail_server_unavailable")
) {}

/** 409: the mail server refuses the sign-in, for example after a password change or for a suspended mailbox. */
export class MailSignInRefused extends HttpApiError.Problem<MailSignInRefused>()(
  "MailSignInRefused",
  declaration("mail_sign_in_refused", 409, "The mail server refused the sign-in"),
  codeField("mail_sign_in_refused")
) {}

/** 409: the mail server refuses the command, for example in a read-only folder or over quota. */
export class MailRefused extends HttpApiError.Problem<MailRefused>()(
  "MailRefused",
  declaration("mail_refused", 409, "The mail server refused the request"),
  codeField("mail_refused")
) {}

/** 422: a service token named no account, or the user has no account. */
export class AccountNeeded extends HttpApiError.Problem<AccountNeeded>()(
  "AccountNeeded",
  declaration("account_needed", 422, "Name the mail account"),
  {
    ...codeField("account_needed"),
    errors: Schema.Array(Schema.Struct({ field: Schema.String, message: Schema.String }))
  }
) {}

/** 409: the account is a mailbox of our own mail server. Only its administrator may make this change. */
export class OwnAccount extends HttpApiError.Problem<OwnAccount>()(
  "OwnAccount",
  declaration("own_account", 409, "This account is a mailbox of our own mail server"),
  codeField("own_account")
) {}

/** 409: the user already has an account of this address. */
export class WebmailAddressTaken extends HttpApiError.Problem<WebmailAddressTaken>()(
  "WebmailAddressTaken",
  declaration("account_taken", 409, "An account with this address exists already"),
  codeField("account_taken")
) {}

/** 409: the user has reached the limit of foreign accounts. */
export class TooManyAccounts extends HttpApiError.Problem<TooManyAccounts>()(
  "TooManyAccounts",
  declaration("too_many_accounts", 409, "There are too many accounts"),
  { ...codeField("too_many_accounts"), limit: Schema.Int }
) {}

/** Errors that every endpoint about an account's mail may answer. */
export const mailErrors = [MailServerUnavailable, MailSignInRefused, MailRefused, AccountNeeded] as const
