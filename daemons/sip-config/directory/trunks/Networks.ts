/** Networks from which a trunk sends calls. Pure. */
import ipaddr from "ipaddr.js"
import { isIP } from "node:net"

/**
 * Shortest prefix of a network. Unit: bits. Reason: the widest network that a large provider publishes for its SIP
 * servers is an IPv4 /13; registries give an IPv6 /29 to a whole provider.
 */
export const shortestPrefix = { ipv4: 12, ipv6: 29 } as const

/** Whether a network in CIDR notation is too wide for a trunk. Invalid text is. */
export const isTooWide = (cidr: string): boolean => {
  if (!ipaddr.isValidCIDR(cidr)) return true
  const [address, length] = ipaddr.parseCIDR(cidr)
  return length < shortestPrefix[address.kind()]
}

/** The parts of a trunk that decide where its calls come from. */
export interface NetworksOf {
  readonly host: string
  /** Requested by the tenant. */
  readonly networks: ReadonlyArray<string>
  /** Confirmed by the provider; may contain networks that are no longer requested. */
  readonly confirmed: ReadonlyArray<string>
}

/**
 * Networks in effect: the requested ones that are confirmed, else the host if it is an address. The host itself needs
 * no confirmation, because it is one address and opens only the numbers of its trunk.
 */
export const effectiveNetworks = ({ confirmed, host, networks }: NetworksOf): ReadonlyArray<string> =>
  networks.length > 0
    ? networks.filter((cidr) => confirmed.includes(cidr) && !isTooWide(cidr))
    : isIP(host) === 0
      ? []
      : [`${host}/${isIP(host) === 4 ? 32 : 128}`]

/** Requested networks that the provider has not confirmed. */
export const pendingNetworks = ({ confirmed, networks }: NetworksOf): ReadonlyArray<string> =>
  networks.filter((cidr) => !confirmed.includes(cidr))

/** Whether an address is in one of the networks. An IPv4 address in IPv6 form is the IPv4 address. */
export const isWithin = (address: string, networks: ReadonlyArray<string>): boolean => {
  if (!ipaddr.isValid(address)) return false
  const from = ipaddr.process(address)
  return networks.some((cidr) => {
    const range = ipaddr.parseCIDR(cidr)
    return range[0].kind() === from.kind() && from.match(range)
  })
}
