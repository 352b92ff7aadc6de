/** Validates and normalises internal numbers, SIP domains and host names. Pure. */
import { isIP } from "node:net"
import { normaliseDomain } from "#protocols/mail-address/Domain.ts"

/** Longest domain name. Unit: bytes. Source: RFC 1035 §2.3.4, without the length byte of the root. */
export const maxDomain = 253

/** Longest label of a domain name. Unit: bytes. Source: RFC 1035 §2.3.4. */
const maxLabel = 63

/**
 * Longest number of an extension, ring group or voicemail box. Unit: characters. Reason: fits a phone's display and a
 * SIP user part.
 */
export const maxNumber = 32

/**
 * SIP domain in lower-case ASCII; undefined when invalid. Needs two or more labels of letters, digits and inner
 * hyphens.
 */
export const sipDomain = (text: string): string | undefined => {
  const domain = hostName(text)
  return domain !== undefined && isIP(domain) === 0 && domain.includes(".") ? domain : undefined
}

/** Host in lower case; undefined when invalid. Accepts an IP address or a host name, also of one label. */
export const hostName = (text: string): string | undefined => {
  if (text.length > maxDomain) return undefined
  const address = text.replace(/^\[(.*)\]$/, "$1")
  if (isIP(address) !== 0) return address.toLowerCase()
  const name = normaliseDomain(text.trim())
  if (name === undefined || name.length > maxDomain) return undefined
  const labels = name.split(".")
  const whole = labels.every((label) => label.length <= maxLabel && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label))
  return whole && !/^\d+$/.test(labels.at(-1)!) ? name : undefined
}

/**
 * Internal number in lower case; undefined when invalid. Accepts digits, or a name of letters, digits, `_`, `-` and
 * inner dots. Rejects names that the switch configuration reserves (such as `group_12`).
 */
export const internalNumber = (text: string): string | undefined =>
  text.length <= maxNumber &&
  /^[a-z0-9](?:[a-z0-9_-]|\.(?=[a-z0-9_-]))*$/i.test(text) &&
  !/^(?:group|external|menu|trunk|tenant)[_-]/i.test(text)
    ? text.toLowerCase()
    : undefined
