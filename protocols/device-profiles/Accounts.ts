/** What device profiles describe: one account for each service. Values only. */

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
  /** Name for the sign-in, mostly the extension. */
  readonly authName: string
  readonly password: string
  /** SIP domain, which is also the realm of the sign-in. */
  readonly domain: string
  readonly displayName: string
  /** Server that phones connect to. */
  readonly server: Endpoint
  readonly transport: "udp" | "tcp" | "tls"
  /** Encryption of speech: `optional` falls back to plain RTP. */
  readonly srtp: "off" | "optional" | "mandatory"
}

export interface Endpoint {
  readonly host: string
  readonly port: number
}
