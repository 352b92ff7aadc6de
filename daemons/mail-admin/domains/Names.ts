/** Which names mail domains and mailboxes may have, and the one form in which they are stored. Pure. */
import { getDomain } from "tldts"
import { normaliseDomain } from "#protocols/mail-address/Domain.ts"
import { maxAddress, maxLocalPart } from "#protocols/mail-address/EmailAddress.ts"

/** Longest name of a domain. Unit: bytes. Source: RFC 1035 §2.3.4, without the length of the root. */
export const maxDomain = 253

/** Unit: bytes. Source: RFC 1035 §2.3.4. */
const maxLabel = 63

/**
 * Lower case and ASCII, or undefined when it is no domain that can have mail: below a public suffix (`org` and `co.uk`
 * are nobody's), letters, digits and inner hyphens (no underscore: it is no host's), not ending in a number (an IPv4
 * address to whoever resolves it). Source of the suffixes: publicsuffix.org, its ICANN part.
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
 * Lower case, or undefined when no mailbox or alias can be called that: letters, digits, `_`, `-` and single inner
 * dots. Mail servers make a directory's name of it, and take what follows a `+` for a part of their own.
 */
export const localPart = (text: string): string | undefined => {
  const local = text.toLowerCase()
  return local.length <= maxLocalPart && /^[a-z0-9_](?:[a-z0-9_-]|\.(?=[a-z0-9_-]))*$/.test(local) ? local : undefined
}

/** The whole address; undefined when it is too long to be one. */
export const addressOf = (local: string, domain: string): string | undefined =>
  local.length + 1 + domain.length > maxAddress ? undefined : `${local}@${domain}`
