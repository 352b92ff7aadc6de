/**
 * Mail accounts as other daemons need to know them: whose address it is and whether it works. Each event carries the
 * whole state after the change, so that a reader keeps the newest by `version` and needs no order.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/** Whether the mailbox may be used. `deleted`: it is no more; its address may be made again, for somebody else. */
export const MailAccountState = Schema.Literals(["active", "suspended", "deleted"])
export type MailAccountState = typeof MailAccountState.Type

/** One mail account after a change. */
export const MailAccount = Schema.Struct({
  /** Number of the account where mailboxes are kept. */
  account_id: Schema.Int,
  /** The whole address in lower case, its domain in ASCII. */
  address: Schema.String,
  /** Whose it is; null: nobody signs in to it by token. */
  user_id: Schema.NullOr(Schema.Int),
  tenant_id: Schema.Int,
  state: MailAccountState,
  /** The one meant when its user names none. */
  is_default: Schema.Boolean,
  /** Grows with every change of this address, also over its deletion and return. */
  version: Schema.Int
})
export type MailAccount = typeof MailAccount.Type

export const MailAccountCreated = define("mail.account.created", MailAccount)
export const MailAccountChanged = define("mail.account.changed", MailAccount)
export const MailAccountSuspended = define("mail.account.suspended", MailAccount)
export const MailAccountUnsuspended = define("mail.account.unsuspended", MailAccount)
export const MailAccountDeleted = define("mail.account.deleted", MailAccount)

/** All of them, for those who only want the state. */
export const mailAccountPattern = "mail.account.*"
