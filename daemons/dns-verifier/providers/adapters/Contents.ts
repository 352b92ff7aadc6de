/**
 * Conversion of names and contents between RecordSet.ts and the zone-file form of Hetzner and PowerDNS. Contents that
 * our own rules refuse are still accepted from a provider, because they exist. Pure.
 */
import { domainToASCII } from "node:url"
import { Result } from "effect"
import { canonicalContent } from "#protocols/dns/RecordContent.ts"
import { txtQuoted } from "#protocols/dns/TxtText.ts"

/**
 * Types whose content is or ends with a host name. Source: RFC 1035 §3.3, RFC 2782, RFC 6672; ALIAS is specific to
 * PowerDNS.
 */
const hostTypes = new Set(["CNAME", "NS", "PTR", "DNAME", "ALIAS", "MX", "SRV"])

/** Types that our content rules cover. */
const known = new Set(["A", "AAAA", "CNAME", "MX", "TXT", "SRV", "CAA"])

/** Converts a provider's name to lower case and ASCII without a final dot. */
export const asciiName = (name: string): string => {
  const bare = name.replace(/\.$/, "")
  return ((/^[\x21-\x7e]*$/.test(bare) ? "" : domainToASCII(bare)) || bare).toLowerCase()
}

/** Converts a content to our form; an invalid one stays as it is. */
export const canonical = (type: string, content: string): string => {
  const result = known.has(type) ? canonicalContent(type, content) : Result.fail("")
  if (Result.isSuccess(result)) return result.success
  return hostTypes.has(type)
    ? withHost(content.trim(), (host) => (host === "." ? host : asciiName(host)))
    : content.trim()
}

/** Converts a content from a zone file of `zone`, in which host names without a final dot are relative. */
export const fromZoneFile = (type: string, written: string, zone: string): string =>
  canonical(
    type,
    hostTypes.has(type)
      ? withHost(written.trim(), (host) => (host === "@" ? zone : host.endsWith(".") ? host : `${host}.${zone}`))
      : written
  )

/**
 * Converts a content to zone-file form: host names end with a dot, TXT is cut into quoted strings of at most 255
 * octets.
 */
export const toZoneFile = (type: string, content: string): string => {
  if (type === "TXT") return txtQuoted(content)
  return hostTypes.has(type) ? withHost(content, (host) => (host.endsWith(".") ? host : `${host}.`)) : content
}

/**
 * Returns why a content cannot be written, as a phrase that follows the record's name; undefined when no problem is
 * known.
 */
export const contentProblem = (type: string, content: string): string | undefined => {
  if (known.has(type)) {
    const result = canonicalContent(type, content)
    return Result.isFailure(result) ? result.failure : undefined
  }
  if (content.trim() === "") return "must not be empty"
  return /\p{C}/u.test(content) ? "must not contain invisible characters" : undefined
}

/** Replaces the last word, which is the host name. */
const withHost = (content: string, change: (host: string) => string): string => {
  const words = content.split(/\s+/)
  return [...words.slice(0, -1), change(words.at(-1)!)].join(" ")
}
