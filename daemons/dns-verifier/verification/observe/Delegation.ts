/** Finds the zone of a domain and its name servers, from resolvers and from the parent zone's servers. */
import { getDomain } from "tldts"
import type { NoReply } from "#protocols/dns/Client.ts"
import { rcodes, type Reply, type WireRecord } from "#protocols/dns/Message.ts"
import { isWithin, parentOf } from "#protocols/dns/Name.ts"
import { typeNumbers } from "#protocols/dns/RecordData.ts"
import type { DnsQueries } from "./DnsQueries.ts"
import { maxNameServers, maxParents } from "./Limits.ts"
import type { ServerAddresses } from "./ServerAddresses.ts"

export interface Delegation {
  readonly outcome: "delegated" | "absent" | "unknown"
  readonly zone: string | null
  /** Names, sorted. */
  readonly servers: ReadonlyArray<string>
  /** Addresses from the parent (glue) of servers inside the zone. */
  readonly glue: ReadonlyMap<string, ReadonlyArray<string>>
  /** Whether resolvers find the zone; their addresses of its servers are then better than glue. */
  readonly resolved: boolean
  /** Whether a resolver validated the signatures of the answer. */
  readonly authentic: boolean
}

/**
 * `deep`: always asks the parent. Otherwise asks it only when resolvers find no servers, because only the parent can
 * distinguish an expired registration from silent name servers.
 */
export const findDelegation = async (
  queries: DnsQueries,
  addresses: ServerAddresses,
  domain: string,
  deep: boolean
): Promise<Delegation> => {
  const seen = await seenByResolvers(queries, domain)
  if (seen !== undefined && "servers" in seen && !deep) return seen
  const zone = seen !== undefined && "servers" in seen ? seen.zone : registrable(domain)
  const parent = await saidByParent(queries, addresses, zone)
  if (parent === undefined) {
    if (seen === undefined) return unknown
    return "servers" in seen ? seen : { ...unknown, outcome: "absent" }
  }
  if (seen === undefined || !("servers" in seen) || parent.outcome === "absent") return parent
  return {
    ...parent,
    servers: bounded([...parent.servers, ...seen.servers]),
    resolved: true,
    authentic: seen.authentic
  }
}

/** The registered domain; names above it belong to others. */
const registrable = (domain: string): string => getDomain(domain) ?? domain

const unknown: Delegation = {
  outcome: "unknown",
  zone: null,
  servers: [],
  glue: new Map(),
  resolved: false,
  authentic: false
}

/** `{ absent }`: resolvers say that the zone does not exist. Undefined: they give no definite answer. */
const seenByResolvers = async (
  queries: DnsQueries,
  domain: string
): Promise<(Delegation & { readonly zone: string }) | { readonly absent: true } | undefined> => {
  let top: string | undefined
  for (let name = domain; top === undefined || isWithin(name, top); name = parentOf(name)) {
    const reply = await queries.resolve(name, "NS")
    const servers = nameServersOf(reply, name)
    if (servers.length > 0 && typeof reply !== "string")
      return { ...unknown, outcome: "delegated", zone: name, servers, resolved: true, authentic: reply.authenticData }
    top ??= registrable(domain)
    if (name !== top) continue
    if (typeof reply === "string") return undefined
    if (reply.rcode === rcodes.noError || reply.rcode === rcodes.nxDomain) return { absent: true }
    // Without this query, invalid signatures would look like silent name servers.
    const unchecked = await queries.resolve(name, "NS", true)
    const unsigned = nameServersOf(unchecked, name)
    return unsigned.length > 0
      ? { ...unknown, outcome: "delegated", zone: name, servers: unsigned, resolved: true }
      : undefined
  }
  return undefined
}

/** Undefined: no server could be asked, or none is authoritative for the parent zone. */
const saidByParent = async (
  queries: DnsQueries,
  addresses: ServerAddresses,
  zone: string
): Promise<Delegation | undefined> => {
  for (let parent = parentOf(zone); ; parent = parentOf(parent)) {
    const servers = nameServersOf(await queries.resolve(parent, "NS"), parent)
    if (servers.length > 0) return askParents(queries, addresses, servers, zone)
    if (parent === "") return undefined
  }
}

const askParents = async (
  queries: DnsQueries,
  addresses: ServerAddresses,
  servers: ReadonlyArray<string>,
  zone: string
): Promise<Delegation | undefined> => {
  let asked = 0
  for (const server of servers) {
    const [address] = (await addresses.of(queries, server, false)).filter((address) => queries.admits(address))
    if (address === undefined) continue
    if (asked++ === maxParents) return undefined
    const said = read(await queries.referral(address, zone, "NS"), zone)
    if (said !== undefined) return said
  }
  return undefined
}

/**
 * Delegation in the answer of a parent server; undefined when it is not authoritative for the parent. Source: RFC 1034
 * §4.3.2.
 */
const read = (reply: Reply | NoReply, zone: string): Delegation | undefined => {
  if (typeof reply === "string") return undefined
  if (reply.authoritative && reply.rcode === rcodes.nxDomain) return { ...unknown, outcome: "absent" }
  if (reply.rcode !== rcodes.noError) return undefined
  // This server also serves the zone itself.
  const own = nameServersOf(reply, zone)
  if (reply.authoritative)
    return own.length === 0
      ? { ...unknown, outcome: "absent" }
      : { ...unknown, outcome: "delegated", zone, servers: own }
  const servers = serversIn(reply.authorities, zone)
  if (servers.length === 0) return undefined
  const glue = new Map<string, ReadonlyArray<string>>()
  for (const { content, name, type } of reply.additionals) {
    // Only addresses of listed servers inside the zone are valid glue.
    if ((type !== typeNumbers.A && type !== typeNumbers.AAAA) || !isWithin(name, zone) || !servers.includes(name))
      continue
    glue.set(name, [...(glue.get(name) ?? []), content].sort())
  }
  return { ...unknown, outcome: "delegated", zone, servers, glue }
}

/** Ignores records behind a CNAME: an alias to another zone is no delegation of this name. */
const nameServersOf = (reply: Reply | NoReply, zone: string): ReadonlyArray<string> =>
  typeof reply === "string" ? [] : serversIn(reply.answers, zone)

const serversIn = (records: ReadonlyArray<WireRecord>, zone: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (const { content, name, type } of records)
    if (type === typeNumbers.NS && name === zone && content !== "") names.push(content)
  return bounded(names)
}

const bounded = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(names)].sort().slice(0, maxNameServers)
