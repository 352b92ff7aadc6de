/** A mailbox that is watched and read: one of our own mail server, or one elsewhere. */
import type { SqlClient } from "effect/sql"

export interface Account {
  readonly id: number
  readonly tenant_id: number
  /** Whose it is; null: the platform's callers only. */
  readonly user_id: number | null
  /** In lower case, its domain in ASCII. */
  readonly address: string
  /** `own`: on our mail server, known by events, signed in to by token. `foreign`: its owner gave host and password. */
  readonly kind: "own" | "foreign"
  /** Name that its mail goes out under; empty: the address alone. */
  readonly display_name: string
  readonly state: "active" | "suspended"
  /** The one meant when its user names none. */
  readonly is_default: boolean
  /** `lazy`: connected to only while somebody reads, or the mail server says that there is news. */
  readonly watch: "always" | "lazy"
  /** Of a foreign one; null of an own one. TLS from the first byte. */
  readonly imap_host: string | null
  readonly imap_port: number | null
  readonly smtp_host: string | null
  readonly smtp_port: number | null
  /** User name at both; null: the address. */
  readonly login: string | null
}

/** The columns of an `Account`, for select lists of `mail_watcher.account`. */
export const accountFields = (sql: SqlClient.SqlClient) =>
  sql`id, tenant_id, user_id, address, kind, display_name, state, is_default, watch, imap_host, imap_port, smtp_host, smtp_port, login`

/** Announced by whoever changes a row of `mail_watcher.account`. */
export const accountTopic = "mail-watcher.account"
