/**
 * Banned addresses in memory: single addresses in a map, ranges in a list, each with its expiry. Pure; Bans.ts reads
 * the table.
 */
import ipaddr from "ipaddr.js"
import { contains } from "../http/ClientAddress.ts"

export interface Ban {
  /** An address, or a range in CIDR notation. */
  readonly address: string
  /** Expiry, epoch milliseconds. */
  readonly until: number
}

/** Whether a client's address is banned at `now` (epoch milliseconds). */
export type BanList = (address: string, now: number) => boolean

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Parses an address or CIDR as a range without host bits; undefined when it is neither. */
const rangeOf = (text: string): Range | undefined => {
  if (ipaddr.isValidCIDR(text)) {
    const [address, bits] = ipaddr.parseCIDR(text)
    return address.kind() === "ipv4"
      ? [ipaddr.IPv4.networkAddressFromCIDR(text), bits]
      : [ipaddr.IPv6.networkAddressFromCIDR(text), bits]
  }
  if (!ipaddr.isValid(text) || !/[.:]/.test(text)) return undefined
  const address = ipaddr.process(text)
  return [address, width(address)]
}

const width = (address: ipaddr.IPv4 | ipaddr.IPv6) => (address.kind() === "ipv4" ? 32 : 128)

/** Canonical form of an address or range, as Postgres's `cidr` takes it; undefined when it is neither. */
export const normalised = (text: string): string | undefined => {
  const range = rangeOf(text.trim())
  return range === undefined ? undefined : `${range[0].toString()}/${range[1]}`
}

/** Whether two ranges overlap. */
export const overlap = (a: string, b: string): boolean => {
  const [left, right] = [rangeOf(a), rangeOf(b)]
  if (left === undefined || right === undefined || left[0].kind() !== right[0].kind()) return false
  return contains([left[0], Math.min(left[1], right[1])], right[0])
}

/** Builds the list. Omits unreadable entries and entries that overlap `never`. */
export const make = (bans: ReadonlyArray<Ban>, never: ReadonlyArray<string>): BanList => {
  const exact = new Map<string, number>()
  const ranges: Array<{ readonly range: Range; readonly until: number }> = []
  for (const ban of bans) {
    const range = rangeOf(ban.address)
    if (range === undefined || never.some((kept) => overlap(kept, ban.address))) continue
    if (range[1] === width(range[0])) exact.set(range[0].toString(), ban.until)
    else ranges.push({ range, until: ban.until })
  }
  return (address, now) => {
    const until = exact.get(canonical(address))
    if (until !== undefined && until > now) return true
    if (ranges.length === 0 || !ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return ranges.some((entry) => entry.until > now && contains(entry.range, parsed))
  }
}

/** Canonical form of an address. IPv4 is returned unchanged, because it is the most frequent case. */
const canonical = (address: string): string =>
  address.includes(":") && ipaddr.IPv6.isValid(address) ? ipaddr.process(address).toString() : address
