/**
 * Computes the DNS records of a mail domain. Pure. Source: interface document 1 §2.1; RFC 5321 (MX), RFC 7208 (SPF),
 * RFC 7489 (DMARC), RFC 6376 §3.6.1 (DKIM).
 */
import type { MailRecord } from "#core/contracts/MailDomains.ts"

/** The mail server's names and addresses in DNS records; undefined: not configured yet. */
export interface MailServer {
  readonly host: string | undefined
  readonly ipv4: string | undefined
  readonly ipv6: string | undefined
  /** Recipient of DMARC reports; undefined for the domain's postmaster. */
  readonly report: string | undefined
}

/** A public key for which a DKIM record is published. */
export interface PublishedKey {
  readonly selector: string
  /** Base64 of the SPKI DER form on one line: 392 characters for an RSA key of 2048 bits. */
  readonly publicKey: string
}

/** End of the name of every DKIM record. Source: RFC 6376 §3.6.2.1. */
export const dkimName = "._domainkey"

/** Preference of the MX record. Source: interface document 1 §2.1. */
export const mxPriority = 10

/**
 * All records of `domain`, in the order of the interface document; one DKIM record per key. Without the mail server's
 * host there is no MX and no autoconfig, without its IPv4 address no SPF record.
 */
export const recordsOf = (
  domain: string,
  server: MailServer,
  keys: ReadonlyArray<PublishedKey>
): ReadonlyArray<MailRecord> => [
  ...(server.host === undefined
    ? []
    : [{ type: "MX" as const, name: "@", content: server.host, priority: mxPriority }]),
  ...(server.ipv4 === undefined ? [] : [txt("@", spf(server.ipv4, server.ipv6))]),
  txt("_dmarc", `v=DMARC1; p=quarantine; rua=mailto:${server.report ?? `postmaster@${domain}`}`),
  ...keys.map(({ publicKey, selector }) => txt(`${selector}${dkimName}`, `v=DKIM1; k=rsa; p=${publicKey}`)),
  ...(server.host === undefined
    ? []
    : [{ type: "CNAME" as const, name: "autoconfig", content: server.host, priority: null }])
]

const spf = (ipv4: string, ipv6: string | undefined): string =>
  ["v=spf1", `ip4:${ipv4}`, ...(ipv6 === undefined ? [] : [`ip6:${ipv6}`]), "-all"].join(" ")

const txt = (name: string, content: string): MailRecord => ({ type: "TXT", name, content, priority: null })
