/** Which recipients a signature is for. Pure. */
import { normaliseDomain } from "#protocols/mail-address/Domain.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"

/**
 * `address`: exactly this recipient. `domain`: every recipient of this domain; `*.example.org` every one of a domain below it, however
 * deep, and not of the domain itself.
 */
export interface SignatureRule {
  readonly match_type: "address" | "domain"
  readonly match_value: string
}

/** Longest value once it is normalised: a domain and the wildcard before it. Unit: characters. */
const maxValue = 255

/**
 * The value in the one form in which it compares: lower case, domains in ASCII. Undefined: the type has no such value. Only an
 * address has an at-sign, so values of two types are never the same text.
 */
export const normaliseRule = ({ match_type, match_value }: SignatureRule): string | undefined => {
  const text = match_value.trim()
  // `*@example.org` would be read as a wildcard, which it is not.
  if (match_type === "address") return text.includes("*") ? undefined : normaliseEmail(text)
  const below = text.startsWith("*.")
  const domain = normaliseDomain(below ? text.slice(2) : text)
  const value = domain === undefined || !below ? domain : `*.${domain}`
  return value === undefined || value.length > maxValue ? undefined : value
}

/** The values that match a normalised address, the one that says most about it first. */
export const matching = (address: string): ReadonlyArray<string> => {
  const labels = address.slice(address.lastIndexOf("@") + 1).split(".")
  return [address, labels.join("."), ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join(".")}`)]
}
