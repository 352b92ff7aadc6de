/** How often a mail may be asked for. Pure: counts in, verdict out. */
import type { MailTransport } from "./MailTransport.ts"

/** How long a confirmation link holds. Unit: hours. Reason: a weekend away from the mailbox. */
export const linkHours = 48

/**
 * Confirmation mails to one address in a day. Unit: mails. Reason: a link lost twice; more would be a way to annoy
 * somebody by our mails.
 */
export const mailsPerAddress = 3

/**
 * Wishes of one client (an IPv4 address, the /64 of an IPv6 address) in an hour. Unit: requests. Reason: an office
 * behind one address.
 */
export const requestsPerClient = 20

/**
 * Confirmation mails that wait to be sent. Unit: mails. Reason: minutes of sending; what is beyond is a flood, or the
 * relay is away.
 */
export const mostWaiting = 1_000

/** When to come again while too many wait. Unit: seconds. */
export const fullRetryAfter = 300

/** Windows of the two counts. Unit: seconds. */
export const addressWindow = 86_400
export const clientWindow = 3_600

export interface Counts {
  /** Mails that went to the address within `addressWindow`. */
  readonly address: number
  /** Wishes of the client within `clientWindow`. */
  readonly client: number
  /** Age of the client's oldest of the last `requestsPerClient` wishes. Unit: seconds; null: it has fewer. */
  readonly clientAge: number | null
  readonly waiting: number
}

export type Verdict =
  | { readonly _tag: "Mail" }
  /** The same answer, and no mail: who has had several knows where to look, and a stranger learns nothing. */
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

/** Of the confirmation with this token's stored form: always the same. */
export const confirmMessageId = (ref: string, { domain }: Pick<MailTransport, "domain">): string =>
  `<confirm.${ref.slice(0, 32)}@${domain}>`
