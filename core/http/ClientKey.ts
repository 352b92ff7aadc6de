/**
 * Key under which clients are counted. Pure.
 */
import ipaddr from "ipaddr.js"

/** Prefix of one IPv6 client; providers assign at least a /64. Unit: bits. Source: RFC 6177 §2. */
const ipv6Prefix = 64

/** An IPv4 address, or the /64 of an IPv6 address. Text that is no address is its own key. */
export const clientKey = (address: string): string => {
  if (!address.includes(":")) return address
  if (!ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.IPv6.parse(address)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  return `${parsed.parts
    .slice(0, ipv6Prefix / 16)
    .map((part) => part.toString(16))
    .join(":")}::/${ipv6Prefix}`
}
