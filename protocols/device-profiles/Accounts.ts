/** Accounts that a device profile or configuration file contains. Types only. */

/** A mailbox, read by IMAP over TLS and written by SMTP with STARTTLS. */
export interface MailAccount {
  readonly address: string
  /** Name of the sender that others see. */
  readonly displayName: string
  readonly username: string
  readonly password: string
  readonly imap: Endpoint
  readonly smtp: Endpoint
}

/** A collection of contacts (CardDAV) or a calendar (CalDAV), reached by HTTPS. */
export interface DavAccount {
  /** Absolute address of the collection, `https` except in tests. */
  readonly url: string
  readonly username: string
  readonly password: string
}

/** A telephone line. */
export interface SipAccount {
  /** Number or name before the @ of the line's address. */
  readonly extension: string
  /** User name for SIP authentication; usually the extension. */
  readonly authName: string
  readonly password: string
  /** SIP domain, also the realm of SIP authentication. */
  readonly domain: string
  readonly displayName: string
  /** Server that phones connect to. */
  readonly server: Endpoint
  readonly transport: "udp" | "tcp" | "tls"
  /** Encryption of speech by SRTP. `optional`: unencrypted RTP when the other side offers no SRTP. */
  readonly srtp: "off" | "optional" | "mandatory"
}

export interface Endpoint {
  readonly host: string
  readonly port: number
}
