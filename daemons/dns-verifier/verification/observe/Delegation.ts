/**
 * Which zone a domain lies in, and which servers run it: as resolvers know it, and as the parent zone's own servers
 * say.
 */
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
  /** Addresses that the parent knows, of servers that lie in the zone itself. */
  readonly glue: ReadonlyMap<string, ReadonlyArray<string>>
  /** The resolvers find the zone, and so know better where its servers are. */
  readonly resolved: boolean
  /** A resolver has checked the signatures of the answer. */
  readonly authentic: boolean
}

/**
 * `deep`: the parent is asked in any case. Otherwise only where the resolvers find no servers: they cannot tell an
 * expired registration from name servers that do not answer, and the parent can.
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

/** The name that is registered with somebody, above which nothing belongs to whoever has the domain. */
const registrable = (domain: string): string => getDomain(domain) ?? domain

const unknown: Delegation = {
  outcome: "unknown",
  zone: null,
  servers: [],
  glue: new Map(),
  resolved: false,
  authentic: false
}

/** `{ absent }`: the resolvers say that there is no such zone. Undefined: they do not say anything. */
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
    // Signatures that do not hold look like servers that do not answer, but for this.
    const unchecked = await queries.resolve(name, "NS", true)
    const unsigned = nameServersOf(unchecked, name)
    return unsigned.length > 0
      ? { ...unknown, outcome: "delegated", zone: name, servers: unsigned, resolved: true }
      : undefined
  }
  return undefined
}

/** Undefined: nobody could be asked, or nobody who was speaks for the parent zone. */
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

/** What one of the parent's servers says; undefined where it does not speak for the parent. Source: RFC 1034 §4.3.2. */
const read = (reply: Reply | NoReply, zone: string): Delegation | undefined => {
  if (typeof reply === "string") return undefined
  if (reply.authoritative && reply.rcode === rcodes.nxDomain) return { ...unknown, outcome: "absent" }
  if (reply.rcode !== rcodes.noError) return undefined
  // It runs the zone, too.
  const own = nameServersOf(reply, zone)
  if (reply.authoritative)
    return own.length === 0
      ? { ...unknown, outcome: "absent" }
      : { ...unknown, outcome: "delegated", zone, servers: own }
  const servers = serversIn(reply.authorities, zone)
  if (servers.length === 0) return undefined
  const glue = new Map<string, ReadonlyArray<string>>()
  for (const { content, name, type } of reply.additionals) {
    // Of other servers it cannot know where they are, and of names that are no servers nobody asked.
    if ((type !== typeNumbers.A && type !== typeNumbers.AAAA) || !isWithin(name, zone) || !servers.includes(name))
      continue
    glue.set(name, [...(glue.get(name) ?? []), content].sort())
  }
  return { ...unknown, outcome: "delegated", zone, servers, glue }
}

/** A CNAME that leads to another zone's servers is no delegation of this name. */
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
