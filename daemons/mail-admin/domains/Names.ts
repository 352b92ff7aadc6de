/** Valid names of mail domains and mailboxes, and their normal form. Pure. */
import { getDomain } from "tldts"
import { normaliseDomain } from "#protocols/mail-address/Domain.ts"
import { maxAddress, maxLocalPart } from "#protocols/mail-address/EmailAddress.ts"

/** Longest domain name. Unit: bytes. Source: RFC 1035 §2.3.4, without the length of the root. */
export const maxDomain = 253

/** Longest label of a domain name. Unit: bytes. Source: RFC 1035 §2.3.4. */
const maxLabel = 63

/**
 * Normalises a domain to lower-case ASCII; undefined when it cannot be a mail domain. Must be below a public suffix,
 * because nobody owns `org` or `co.uk`. Labels have letters, digits and inner hyphens, but no underscore, which is
 * invalid in host names. The last label must not be a number, which resolvers treat as an IPv4 address. Source of the
 * suffixes: publicsuffix.org, ICANN section.
 */
export const domainName = (text: string): string | undefined => {
  if (text.length > maxDomain) return undefined
  const domain = normaliseDomain(text.trim())
  if (domain === undefined || domain.length > maxDomain) return undefined
  const labels = domain.split(".")
  const whole = labels.every((label) => label.length <= maxLabel && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label))
  return whole && !/^\d+$/.test(labels.at(-1)!) && getDomain(domain) !== null ? domain : undefined
}

/**
 * Normalises a local part to lower case; undefined when it is invalid. Permits letters, digits, `_`, `-` and single
 * inner dots. Mail servers use it as a directory name, and give a special meaning to text after a `+`.
 */
export const localPart = (text: string): string | undefined => {
  const local = text.toLowerCase()
  return local.length <= maxLocalPart && /^[a-z0-9_](?:[a-z0-9_-]|\.(?=[a-z0-9_-]))*$/.test(local) ? local : undefined
}

/** The full address; undefined when it would be too long. */
export const addressOf = (local: string, domain: string): string | undefined =>
  local.length + 1 + domain.length > maxAddress ? undefined : `${local}@${domain}`
