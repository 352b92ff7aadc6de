/** Limits of subscription requests. Pure: counts in, verdict out. */
import { Duration } from "effect"
import type { LogPolicy } from "#core/limits/StoredLog.ts"
import type { MailTransport } from "./MailTransport.ts"

/** How long a confirmation link is valid. Unit: hours. Reason: a weekend without reading mail. */
export const linkHours = 48

/** Confirmation mails to one address per day. Unit: mails. Reason: two lost mails; more would allow mail bombing. */
export const mailsPerAddress = 3

/**
 * Requests of one client (IPv4 address or /64 of an IPv6 address) per hour. Unit: requests. Reason: an office behind
 * one address.
 */
export const requestsPerClient = 20

/**
 * Most pending confirmation mails. Unit: mails. Reason: a few minutes of sending; more means a flood or an unreachable
 * relay.
 */
export const mostWaiting = 1_000

/** Retry-After while too many mails wait. Unit: seconds. */
export const fullRetryAfter = 300

/** Requests of one client. */
export const clientPolicy: LogPolicy = {
  name: "status_checker.client",
  table: "status_checker.sign_ups",
  key: "client",
  at: "at",
  limit: requestsPerClient,
  unit: "requests",
  window: Duration.hours(1)
}

/** Confirmation mails to one address, by the hash of the address. */
export const addressPolicy: LogPolicy = {
  name: "status_checker.address",
  table: "status_checker.sign_ups",
  key: "address",
  at: "at",
  only: (sql) => sql`mailed`,
  limit: mailsPerAddress,
  unit: "mails",
  window: Duration.days(1)
}

export interface Counts {
  /** Time until the address may get another mail. Unit: seconds; 0: now. */
  readonly address: number
  /** Time until the client may ask again. Unit: seconds; 0: now. */
  readonly client: number
  /** Pending confirmation mails. */
  readonly waiting: number
}

export type Verdict =
  | { readonly _tag: "Mail" }
  /** No mail, but the same answer, so that strangers learn nothing about the address. */
  | { readonly _tag: "Quiet" }
  | { readonly _tag: "TooMany"; readonly retryAfter: number }
  | { readonly _tag: "Full"; readonly retryAfter: number }

export const judge = ({ address, client, waiting }: Counts): Verdict =>
  client > 0
    ? { _tag: "TooMany", retryAfter: client }
    : waiting >= mostWaiting
      ? { _tag: "Full", retryAfter: fullRetryAfter }
      : address > 0
        ? { _tag: "Quiet" }
        : { _tag: "Mail" }

/** Message-ID of the confirmation with this stored token; stable across attempts. */
export const confirmMessageId = (ref: string, { domain }: Pick<MailTransport, "domain">): string =>
  `<confirm.${ref.slice(0, 32)}@${domain}>`
