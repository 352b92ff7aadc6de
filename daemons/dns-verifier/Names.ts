/** How domains may be written, and the one form in which they are stored. Pure. */
import { getPublicSuffix } from "tldts"
import { normaliseDomain } from "#protocols/mail-address/Domain.ts"

/** Longest name as people type it. Unit: UTF-16 units. Reason: 253 octets of ASCII, and a final dot; other scripts only get longer. */
export const maxTyped = 254

/** Longest name. Unit: octets. Source: RFC 1035 §2.3.4, without the length of the root. */
const maxDomain = 253

/** Lower case and ASCII, or undefined when no domain can be called that. */
export const domainName = (text: string): string | undefined => {
  const name = normaliseDomain(text.trim())
  return name !== undefined && domainProblem(text) === undefined ? name : undefined
}

/** Why no domain of ours can be called that; undefined when it can. */
export const domainProblem = (text: string): string | undefined => {
  const name = normaliseDomain(text.trim())
  if (name === undefined || !name.includes(".")) return "must be a domain such as example.org"
  if (name.length > maxDomain) return "must have at most 253 characters in its ASCII form"
  if (name.split(".").some((label) => label.length > 63)) return "must have at most 63 characters between two dots, in its ASCII form"
  if (!name.split(".").every((label) => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label))) return "must be letters, digits and inner hyphens, with single dots between"
  if (getPublicSuffix(name, { allowPrivateDomains: true }) === name) return "must be a domain that somebody can register, and not a public suffix itself"
  return undefined
}
