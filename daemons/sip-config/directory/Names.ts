/** How numbers, domains and hosts of telephony may be written, and the one form in which they are stored. Pure. */
import { isIP } from "node:net"
import { normaliseDomain } from "#protocols/mail-address/Domain.ts"

/** Longest name of a domain. Unit: bytes. Source: RFC 1035 §2.3.4, without the length of the root. */
export const maxDomain = 253

/** Unit: bytes. Source: RFC 1035 §2.3.4. */
const maxLabel = 63

/**
 * Longest number of an extension, group or box. Unit: characters. Reason: what a phone's display and a SIP user part
 * hold.
 */
export const maxNumber = 32

/**
 * Lower case and ASCII, or undefined when no SIP domain can be called that: two labels or more of letters, digits and
 * inner hyphens.
 */
export const sipDomain = (text: string): string | undefined => {
  const domain = hostName(text)
  return domain !== undefined && isIP(domain) === 0 && domain.includes(".") ? domain : undefined
}

/** The same of a host: an IP address or a name, also of one label. */
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
 * Lower case, or undefined when no extension, group or box can be dialled by it: digits, or a name of letters, digits,
 * `_`, `-` and inner dots. Names as the switch is told things by (`group_12`) are nobody's.
 */
export const internalNumber = (text: string): string | undefined =>
  text.length <= maxNumber &&
  /^[a-z0-9](?:[a-z0-9_-]|\.(?=[a-z0-9_-]))*$/i.test(text) &&
  !/^(?:group|external|menu|trunk|tenant)[_-]/i.test(text)
    ? text.toLowerCase()
    : undefined
