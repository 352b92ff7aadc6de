/** Rules that choose a signature by recipient. Pure. */
import { normaliseDomain } from "#protocols/mail-address/Domain.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"

/**
 * `address`: this recipient. `domain`: every recipient of the domain. `*.example.org`: every recipient of a subdomain
 * at any depth, but not of `example.org` itself.
 */
export interface SignatureRule {
  readonly match_type: "address" | "domain"
  readonly match_value: string
}

/** Longest normalised value. Unit: characters. Reason: a domain with its wildcard. */
const maxValue = 255

/**
 * Normalised value: lower case, domains in ASCII. Undefined: invalid for the type. Only addresses contain an at-sign,
 * so values of the two types never collide.
 */
export const normaliseRule = ({ match_type, match_value }: SignatureRule): string | undefined => {
  const text = match_value.trim()
  // `*@example.org` looks like a wildcard but is none.
  if (match_type === "address") return text.includes("*") ? undefined : normaliseEmail(text)
  const below = text.startsWith("*.")
  const domain = normaliseDomain(below ? text.slice(2) : text)
  const value = domain === undefined || !below ? domain : `*.${domain}`
  return value === undefined || value.length > maxValue ? undefined : value
}

/** Normalises rules that the schema has validated. */
export const normalised = (rules: ReadonlyArray<SignatureRule>): ReadonlyArray<SignatureRule> =>
  rules.map((rule) => ({ ...rule, match_value: normaliseRule(rule)! }))

/** Values that match a normalised address, most specific first. */
export const matching = (address: string): ReadonlyArray<string> => {
  const labels = address.slice(address.lastIndexOf("@") + 1).split(".")
  return [address, labels.join("."), ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join(".")}`)]
}
