/** Names of mail servers that somebody typed. Pure; asks no name server. */
import { isIP, isIPv4 } from "node:net"
import { normaliseDomain } from "#protocols/mail-address/Domain.ts"

/** Longest name of a host. Unit: characters. Source: RFC 1035 §2.3.4, without its final dot. */
export const maxHost = 253

/** Longest part between dots. Unit: characters. Source: RFC 1035 §2.3.4. */
const maxLabel = 63

/**
 * The host in the one form that is stored and dialled: in lower case, in ASCII, without a final dot; or an IP address as it is. Undefined when
 * it is neither. What ends in a number is no name: resolvers read `127.1` as an address (and `0x7f000001`, which is one by the time it is ASCII).
 */
export const normaliseHost = (typed: string): string | undefined => {
  const text = typed.trim()
  if (isIP(text) > 0) return isIPv4(text) || !text.includes("%") ? text.toLowerCase() : undefined
  const host = normaliseDomain(text)
  if (host === undefined || host.length > maxHost || !labels.test(host)) return undefined
  const parts = host.split(".")
  return parts.some(({ length }) => length > maxLabel) || /^\d+$/.test(parts.at(-1)!) ? undefined : host
}

/** Letters, digits and hyphens within. Source: RFC 1123 §2.1. */
const labels = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/
