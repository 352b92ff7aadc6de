/** By what a client is told from another where they are counted. Pure. */
import ipaddr from "ipaddr.js"

/** What belongs to one client of IPv6: providers hand out a /64 at least. Unit: bits. Source: RFC 6177 §2. */
const ipv6Prefix = 64

/** Whose it is: an IPv4 address, the /64 of an IPv6 address. Text that is no address is its own key. */
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
