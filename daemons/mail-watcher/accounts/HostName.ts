/** Normalises host names that users type. Pure; resolves nothing. */
import { isIP, isIPv4 } from "node:net"
import { normaliseDomain } from "#protocols/mail-address/Domain.ts"

/** Longest host name. Unit: characters. Source: RFC 1035 §2.3.4, without the final dot. */
export const maxHost = 253

/** Longest label. Unit: characters. Source: RFC 1035 §2.3.4. */
const maxLabel = 63

/**
 * Returns the host name in lower case ASCII without a final dot, or an IP address. Undefined when the text is neither.
 * A name whose last label is a number is refused: resolvers read `127.1` and `0x7f000001` as addresses.
 */
export const normaliseHost = (typed: string): string | undefined => {
  const text = typed.trim()
  if (isIP(text) > 0) return isIPv4(text) || !text.includes("%") ? text.toLowerCase() : undefined
  const host = normaliseDomain(text)
  if (host === undefined || host.length > maxHost || !labels.test(host)) return undefined
  const parts = host.split(".")
  return parts.some(({ length }) => length > maxLabel) || /^\d+$/.test(parts.at(-1)!) ? undefined : host
}

/** Labels of letters, digits and inner hyphens. Source: RFC 1123 §2.1. */
const labels = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/
