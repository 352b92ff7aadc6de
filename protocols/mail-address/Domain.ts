/**
 * Mail domains in the one form in which they compare. Pure; asks no name server. Source: RFC 5890 (A-labels), RFC 5321
 * §2.3.5.
 */
import { domainToASCII } from "node:url"

/**
 * ASCII form in lower case without a final dot; undefined when it is no domain name. Address literals (`[127.0.0.1]`)
 * are none. domainToASCII cuts at `/`, `?` and `#` and decodes `%`: refused before. Underscores are left: they do
 * occur.
 */
export const normaliseDomain = (domain: string): string | undefined => {
  if (!/^[^\s"<>(),:;@[\]\\/?#%*\p{C}]+$/u.test(domain)) return undefined
  const ascii = domainToASCII(domain).replace(/\.$/, "")
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(ascii) ? ascii : undefined
}
