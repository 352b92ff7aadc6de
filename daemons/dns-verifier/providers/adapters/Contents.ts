/**
 * Names and contents between our form (Adapter.ts) and a zone file's, which Hetzner and PowerDNS write. What our own
 * rules would not take from a user is taken from a provider all the same: it is there. Pure.
 */
import { domainToASCII } from "node:url"
import { Result } from "effect"
import { canonicalContent } from "#protocols/dns/RecordContent.ts"
import { txtQuoted } from "#protocols/dns/TxtText.ts"

/**
 * Types whose content ends with a host, or is one. Source: RFC 1035 §3.3, RFC 2782, RFC 6672; ALIAS is PowerDNS's own.
 */
const hostTypes = new Set(["CNAME", "NS", "PTR", "DNAME", "ALIAS", "MX", "SRV"])

/** Types whose content our rules know. */
const known = new Set(["A", "AAAA", "CNAME", "MX", "TXT", "SRV", "CAA"])

/** A provider's name in our form: lower case, in ASCII, without a trailing dot. */
export const asciiName = (name: string): string => {
  const bare = name.replace(/\.$/, "")
  return ((/^[\x21-\x7e]*$/.test(bare) ? "" : domainToASCII(bare)) || bare).toLowerCase()
}

/** Our form of a content. What is no content to us stays as it is. */
export const canonical = (type: string, content: string): string => {
  const result = known.has(type) ? canonicalContent(type, content) : Result.fail("")
  if (Result.isSuccess(result)) return result.success
  return hostTypes.has(type)
    ? withHost(content.trim(), (host) => (host === "." ? host : asciiName(host)))
    : content.trim()
}

/** Our form of what stands in a zone file of `zone`, where hosts without a dot at their end are relative to it. */
export const fromZoneFile = (type: string, written: string, zone: string): string =>
  canonical(
    type,
    hostTypes.has(type)
      ? withHost(written.trim(), (host) => (host === "@" ? zone : host.endsWith(".") ? host : `${host}.${zone}`))
      : written
  )

/** How it stands in a zone file: hosts end with a dot, a TXT is cut into quoted strings of at most 255 octets. */
export const toZoneFile = (type: string, content: string): string => {
  if (type === "TXT") return txtQuoted(content)
  return hostTypes.has(type) ? withHost(content, (host) => (host.endsWith(".") ? host : `${host}.`)) : content
}

/**
 * What is wrong with a content that is to be written, as a sentence that goes after the record's name; undefined:
 * nothing that we know of.
 */
export const contentProblem = (type: string, content: string): string | undefined => {
  if (known.has(type)) {
    const result = canonicalContent(type, content)
    return Result.isFailure(result) ? result.failure : undefined
  }
  if (content.trim() === "") return "must not be empty"
  return /\p{C}/u.test(content) ? "must not contain invisible characters" : undefined
}

/** Replaces the last word, which is the host. */
const withHost = (content: string, change: (host: string) => string): string => {
  const words = content.split(/\s+/)
  return [...words.slice(0, -1), change(words.at(-1)!)].join(" ")
}
