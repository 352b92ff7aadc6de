/**
 * Mail account events for other daemons: owner and state of an address. Each event carries the whole state after the
 * change, so a reader keeps the highest `version` and does not depend on the order of events.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/**
 * Whether the mailbox may be used. `deleted`: the mailbox no longer exists; its address may be assigned to another
 * user.
 */
export const MailAccountState = Schema.Literals(["active", "suspended", "deleted"])
export type MailAccountState = typeof MailAccountState.Type

/** One mail account after a change. */
export const MailAccount = Schema.Struct({
  /** Id of the account at the mail server. */
  account_id: Schema.Int,
  /** Full address in lower case, with the domain in ASCII. */
  address: Schema.String,
  /** Owner; null when no user may sign in to the account by token. */
  user_id: Schema.NullOr(Schema.Int),
  tenant_id: Schema.Int,
  state: MailAccountState,
  /** Account that is used when its user names none. */
  is_default: Schema.Boolean,
  /** Increases with every change of this address, also across deletion and re-creation. */
  version: Schema.Int
})
export type MailAccount = typeof MailAccount.Type

export const MailAccountCreated = define("mail.account.created", MailAccount)
export const MailAccountChanged = define("mail.account.changed", MailAccount)
export const MailAccountSuspended = define("mail.account.suspended", MailAccount)
export const MailAccountUnsuspended = define("mail.account.unsuspended", MailAccount)
export const MailAccountDeleted = define("mail.account.deleted", MailAccount)

/** Matches all mail account events, for readers that only need the current state. */
export const mailAccountPattern = "mail.account.*"
