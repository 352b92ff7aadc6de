/** Limits of subscription requests. Pure: counts in, verdict out. */
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

/** Windows of the two counts. Unit: seconds. */
export const addressWindow = 86_400
export const clientWindow = 3_600

export interface Counts {
  /** Mails to the address within `addressWindow`. */
  readonly address: number
  /** Requests of the client within `clientWindow`. */
  readonly client: number
  /** Age of the oldest of the client's last `requestsPerClient` requests. Unit: seconds; null when there are fewer. */
  readonly clientAge: number | null
  readonly waiting: number
}

export type Verdict =
  | { readonly _tag: "Mail" }
  /** No mail, but the same answer, so that strangers learn nothing about the address. */
  | { readonly _tag: "Quiet" }
  | { readonly _tag: "TooMany"; readonly retryAfter: number }
  | { readonly _tag: "Full"; readonly retryAfter: number }

export const judge = ({ address, client, clientAge, waiting }: Counts): Verdict =>
  client >= requestsPerClient
    ? { _tag: "TooMany", retryAfter: Math.max(1, Math.ceil(clientWindow - (clientAge ?? 0))) }
    : waiting >= mostWaiting
      ? { _tag: "Full", retryAfter: fullRetryAfter }
      : address >= mailsPerAddress
        ? { _tag: "Quiet" }
        : { _tag: "Mail" }

/** Message-ID of the confirmation with this stored token; stable across attempts. */
export const confirmMessageId = (ref: string, { domain }: Pick<MailTransport, "domain">): string =>
  `<confirm.${ref.slice(0, 32)}@${domain}>`
