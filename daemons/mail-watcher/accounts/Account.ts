/** A mail account: a mailbox of our own mail server, or one at a foreign mail server. */
import type { SqlClient } from "effect/sql"

export interface Account {
  readonly id: number
  readonly tenant_id: number
  /** The owner. Null: only service tokens may use the account. */
  readonly user_id: number | null
  /** Lower case, with the domain in ASCII. */
  readonly address: string
  /**
   * `own`: on our mail server, learnt from events, signed in to with a mail token. `foreign`: added by its owner with
   * host and password.
   */
  readonly kind: "own" | "foreign"
  /** Display name of outgoing mail. Empty: the address alone. */
  readonly display_name: string
  readonly state: "active" | "suspended"
  /** Whether the account is used when its user names none. */
  readonly is_default: boolean
  /** `lazy`: connected only while somebody reads, or after the mail server reported new mail. */
  readonly watch: "always" | "lazy"
  /** Server of a foreign account, null for an own account. TLS from the first byte. */
  readonly imap_host: string | null
  readonly imap_port: number | null
  readonly smtp_host: string | null
  readonly smtp_port: number | null
  /** User name at both servers. Null: the address. */
  readonly login: string | null
}

/** Columns of an `Account`, for select lists on `mail_watcher.account`. */
export const accountFields = (sql: SqlClient.SqlClient) =>
  sql`id, tenant_id, user_id, address, kind, display_name, state, is_default, watch, imap_host, imap_port, smtp_host,
    smtp_port, login`

/** Topic announced with every change of a row of `mail_watcher.account`. */
export const accountTopic = "mail-watcher.account"
