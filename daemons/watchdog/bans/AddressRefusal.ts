/** Decides which addresses people may ban or exempt. Pure. */
import ipaddr from "ipaddr.js"
import { loopback } from "#core/http/ClientAddress.ts"
import { normalised, overlap } from "#core/gateway/BanList.ts"

/**
 * Widest range. Unit: bits. Reason: an IPv4 /16 is what a small provider has, an IPv6 /32 what each provider gets (RFC
 * 7020 and policies of the registries); wider ones are typing errors.
 */
export const widest = { ipv4: 16, ipv6: 32 } as const

/** Ranges of no client: unspecified, multicast, broadcast, link-local, and IPv4 inside IPv6. Source: RFC 6890. */
const special = ["0.0.0.0/8", "224.0.0.0/3", "169.254.0.0/16", "::/128", "::ffff:0:0/96", "fe80::/10", "ff00::/8"]

export interface Guarded {
  /** Networks of trusted proxies (CIDR). */
  readonly trusted: ReadonlyArray<string>
  /** Addresses of this host. */
  readonly own: ReadonlyArray<string>
  /** Address of the caller; undefined for the command line. */
  readonly caller: string | undefined
}

/** Why nobody may ban or exempt such a range; undefined: they may. */
export const widthProblem = (address: string): string | undefined => {
  const range = normalised(address)
  if (range === undefined) return "must be an IP address or a range such as 192.0.2.0/24"
  const [base, bits] = range.split("/") as [string, string]
  const family = ipaddr.IPv4.isValid(base) ? "ipv4" : "ipv6"
  return Number(bits) < widest[family]
    ? `is too wide: at most ${family === "ipv4" ? "an IPv4 /16" : "an IPv6 /32"}`
    : undefined
}

/** Why the address must not be banned; undefined: it may be. */
export const banProblem = (address: string, { caller, own, trusted }: Guarded): string | undefined => {
  const wide = widthProblem(address)
  if (wide !== undefined) return wide
  const within = (ranges: ReadonlyArray<string>) => ranges.some((range) => overlap(range, address))
  if (within(loopback)) return "overlaps the addresses of this host itself (loopback)"
  if (within(special)) return "overlaps addresses that no client has"
  if (within(trusted)) return "overlaps a trusted proxy (SIGNALBOX_TRUSTED_PROXIES), and all its clients"
  if (within(own)) return "overlaps an address of this host"
  if (caller !== undefined && overlap(caller, address)) return "overlaps your own address"
  return undefined
}
