/**
 * Banned ranges as files for programs of this host: nginx, Caddy, nftables, and a plain list. Pure; NetworkFiles.ts
 * writes them. Formats: nginx module geo; Caddyfile matcher `remote_ip`; nft(8), sets with timeouts.
 */
import ipaddr from "ipaddr.js"
import { createHash } from "node:crypto"

export interface BannedRange {
  /** Address range in CIDR notation. */
  readonly address: string
  /** Expiry, epoch milliseconds. */
  readonly until: number
}

/**
 * Maximum number of ranges in a file, the longest-lasting first. Reason: files of at most about 600 kB; Caddy compares
 * each request with each range.
 */
export const maxRanges = 10_000

/** Table of nftables that has the sets. It is the table of config/nftables. */
export const nftTable = "inet signalbox"

export interface NetworkFile {
  readonly name: string
  /** Changes exactly when the content must be written again. */
  readonly state: string
  readonly text: string
}

interface Parsed extends BannedRange {
  readonly family: 4 | 6
  readonly bits: number
}

const parse = (ban: BannedRange): Parsed | undefined => {
  if (!ipaddr.isValidCIDR(ban.address)) return undefined
  const [address, bits] = ipaddr.parseCIDR(ban.address)
  const family = address.kind() === "ipv4" ? 4 : 6
  return { address: `${network(family, address.toString(), bits)}/${bits}`, until: ban.until, family, bits }
}

const network = (family: 4 | 6, address: string, bits: number): string =>
  (family === 4 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(`${address}/${bits}`).toString()

/**
 * Ranges that are banned at `now`, in the order of their families and addresses. A range inside another one is left out
 * until the other one ends, because a set of nftables holds no overlapping ranges.
 */
const disjoint = (bans: ReadonlyArray<BannedRange>, now: number): ReadonlyArray<Parsed> => {
  const latest = bans
    .flatMap((ban) => (ban.until > now ? (parse(ban) ?? []) : []))
    .sort((a, b) => b.until - a.until)
    .slice(0, maxRanges)
    .sort((a, b) => a.bits - b.bits)
  const kept = new Map<string, Parsed>()
  const widths = new Set<string>()
  for (const range of latest) {
    const base = range.address.slice(0, range.address.indexOf("/"))
    const isInside = [...widths].some((width) => {
      const [family, bits] = width.split("/").map(Number)
      return family === range.family && kept.has(`${network(range.family, base, bits!)}/${bits}`)
    })
    if (isInside) continue
    widths.add(`${range.family}/${range.bits}`)
    kept.set(range.address, range)
  }
  return [...kept.values()].sort((a, b) => a.family - b.family || (a.address < b.address ? -1 : 1))
}

/** A file whose first line shows its state, so that other processes see that it is current. */
const file = (name: string, what: string, state: string, lines: ReadonlyArray<string>): NetworkFile => ({
  name,
  state,
  text: [`# ${what}; written by Signalbox. State: ${state}`, ...lines, ""].join("\n")
})

/** Short digest of what a file says. */
const stateOf = (facts: unknown): string =>
  createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 16)

/** Statements that replace the elements of a set. Without elements the set becomes empty. */
const nftSet = (set: string, elements: ReadonlyArray<string>): ReadonlyArray<string> => [
  `flush set ${nftTable} ${set}`,
  ...(elements.length === 0 ? [] : [`add element ${nftTable} ${set} {`, `  ${elements.join(",\n  ")}`, "}"])
]

/** Elements of a set, each with the time that is left of it. */
const timed = (ranges: ReadonlyArray<Parsed>, family: 4 | 6, now: number): ReadonlyArray<string> =>
  ranges
    .filter((range) => range.family === family)
    .map(({ address, until }) => `${address} timeout ${Math.max(1, Math.ceil((until - now) / 1_000))}s`)

/** Files with the ranges that are banned at `now` (epoch milliseconds). Without bans they have no entries. */
export const banFiles = (bans: ReadonlyArray<BannedRange>, now: number): ReadonlyArray<NetworkFile> => {
  const ranges = disjoint(bans, now)
  const addresses = ranges.map(({ address }) => address)
  const state = stateOf(ranges.map(({ address, until }) => [address, Math.floor(until / 1_000)]))
  const nft = (family: 4 | 6) => nftSet(`banned${family}`, timed(ranges, family, now))
  return [
    file(
      "banned.nginx.conf",
      "Banned addresses for nginx, inside a geo block",
      state,
      addresses.map((address) => `${address} 1;`)
    ),
    file(
      "banned.caddyfile",
      "Banned addresses for Caddy, inside a site",
      state,
      addresses.length === 0
        ? []
        : [`@signalbox_banned remote_ip ${addresses.join(" ")}`, "respond @signalbox_banned 403"]
    ),
    file("banned.nft", "Banned addresses for nftables, loaded by nft -f", state, [...nft(4), ...nft(6)]),
    file("banned.txt", "Banned addresses, one range a line", state, addresses)
  ]
}

/**
 * File with the bans of another program, CrowdSec, in sets of their own: two writers cannot share a set of intervals.
 * Creates the sets, for firewalls that were loaded before these sets existed.
 */
export const crowdsecFile = (bans: ReadonlyArray<BannedRange>, now: number): NetworkFile => {
  const ranges = disjoint(bans, now)
  const set = (family: 4 | 6) => [
    `add set ${nftTable} crowdsec${family} { type ipv${family}_addr; flags interval, timeout; }`,
    ...nftSet(`crowdsec${family}`, timed(ranges, family, now))
  ]
  return file(
    "crowdsec.nft",
    "Addresses that CrowdSec banned, for nftables, loaded by nft -f",
    stateOf(ranges.map(({ address, until }) => [address, Math.floor(until / 1_000)])),
    [...set(4), ...set(6)]
  )
}

/** File with the networks of trunks, which alone reach the port of trunks. */
export const trunkFile = (networks: ReadonlyArray<string>): NetworkFile => {
  const ranges = disjoint(
    networks.map((address) => ({ address, until: Number.POSITIVE_INFINITY })),
    0
  )
  const of = (family: 4 | 6) => ranges.filter((range) => range.family === family).map(({ address }) => address)
  return file("trunks.nft", "Networks of trunks for nftables, loaded by nft -f", stateOf([of(4), of(6)]), [
    ...nftSet("trunks4", of(4)),
    ...nftSet("trunks6", of(6))
  ])
}
