/**
 * Normalises mail domains, so that equal domains are equal strings. Pure; makes no DNS query. Source: RFC 5890
 * (A-labels), RFC 5321 §2.3.5.
 */
import { domainToASCII } from "node:url"

/**
 * The domain in ASCII and lower case, without a final dot. Undefined when it is not a domain name, for example an
 * address literal (`[127.0.0.1]`). Some characters are refused first, because domainToASCII cuts at `/`, `?` and `#`
 * and decodes `%`. Underscores are allowed because real domains contain them.
 */
export const normaliseDomain = (domain: string): string | undefined => {
  if (!/^[^\s"<>(),:;@[\]\\/?#%*\p{C}]+$/u.test(domain)) return undefined
  const ascii = domainToASCII(domain).replace(/\.$/, "")
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(ascii) ? ascii : undefined
}
