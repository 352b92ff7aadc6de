/**
 * Decides which addresses a request may reach whose target a user chose. Pure.
 *
 * The guard allows addresses that the public internet routes: for IPv4 everything outside the IANA special-purpose
 * registry (RFC 6890), for IPv6 only global unicast 2000::/3 (RFC 4291 §2.4) without its special blocks. It therefore
 * refuses every IPv6 form that carries an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo). It cannot know
 * prefixes that a network uses internally, such as its own NAT64 prefix; that network's firewall has to.
 */
import ipaddr from "ipaddr.js"

export type Cidr = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** All networks, for addresses that only an operator can choose, or that are ours. */
export const anyNetwork: ReadonlyArray<Cidr> = [
  [ipaddr.parse("0.0.0.0"), 0],
  [ipaddr.parse("::"), 0]
]

/** `10.1.0.0/16`, `fd00::/8`, or one address; undefined when it is neither. */
export const parseCidr = (text: string): Cidr | undefined => {
  const written = text.trim()
  if (!isAddress(written.split("/", 1)[0] ?? "")) return undefined
  if (written.includes("/")) return ipaddr.isValidCIDR(written) ? ipaddr.parseCIDR(written) : undefined
  const address = ipaddr.parse(written)
  return [address, address.kind() === "ipv4" ? 32 : 128]
}

/**
 * Public according to the registry, but internal: Azure's virtual host address, which serves instance credentials.
 * Source: Microsoft, "What is IP address 168.63.129.16?".
 */
const alsoForbidden: ReadonlyArray<Cidr> = [[ipaddr.parse("168.63.129.16"), 32]]

const globalUnicast: Cidr = [ipaddr.parse("2000::"), 3]

/** `admitted`: public, or in one of the given networks. Otherwise the name of the range that forbids the address. */
export const judge = (
  address: string,
  allowCidrs: ReadonlyArray<Cidr> = []
): { readonly admitted: "public" | "byList" } | { readonly forbidden: string } => {
  if (!isAddress(address)) return { forbidden: "no address" }
  const parsed = ipaddr.parse(address)
  if (allowCidrs.some((cidr) => contains(cidr, parsed))) return { admitted: "byList" }
  if (alsoForbidden.some((cidr) => contains(cidr, parsed))) return { forbidden: "cloud host" }
  const range = parsed.range()
  if (range !== "unicast") return { forbidden: range }
  return parsed.kind() === "ipv4" || contains(globalUnicast, parsed)
    ? { admitted: "public" }
    : { forbidden: "not global unicast" }
}

const contains = ([network, bits]: Cidr, address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  network.kind() === address.kind() && address.match(network, bits)

/** Only canonical spellings: ipaddr.js also parses `127.1` and `0x7f000001`, which resolvers never return. */
const isAddress = (text: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)

/**
 * Ranges of special addresses that an operator's server may have: in own networks and on this machine. All others stay
 * refused, such as link-local addresses, where clouds serve credentials.
 */
const operatorRanges: ReadonlySet<string> = new Set(["private", "loopback", "uniqueLocal", "carrierGradeNat"])

/** Serves credentials of instances, though its range is for own networks. Source: AWS, "Instance metadata", IPv6. */
const metadataIpv6: Cidr = [ipaddr.parse("fd00:ec2::254"), 128]

/** Like `judge`, for the address of a server that an operator chose. */
export const judgeOperator = (address: string): ReturnType<typeof judge> => {
  const verdict = judge(address)
  if ("admitted" in verdict || !operatorRanges.has(verdict.forbidden)) return verdict
  return contains(metadataIpv6, ipaddr.parse(address)) ? { forbidden: "cloud host" } : { admitted: "byList" }
}
