/** One check of a domain in DNS. */
import { createSocket } from "node:dgram"
import { fullName } from "#protocols/dns/Name.ts"
import { questionType } from "#protocols/dns/RecordData.ts"
import { type DnsQueries, type Place, traced } from "./DnsQueries.ts"
import { type Delegation, findDelegation } from "./Delegation.ts"
import { isBogus, signed } from "./Dnssec.ts"
import type { Asked, NameServer, Observation, Question, Said } from "./Observation.ts"
import type { ServerAddresses } from "./ServerAddresses.ts"
import { isClean, nothing } from "./Trace.ts"

export interface LookOptions {
  readonly domain: string
  readonly questions: ReadonlyArray<Question>
  readonly deep: boolean
  /** Name servers asked at a time. */
  readonly authorities: number
  /** ISO 8601. */
  readonly at: string
}

type Authority = Asked["authorities"][number]

/** Rejects only on a defect. Ends with its last query, at `queries.until` at the latest. */
export const look = async (
  queries: DnsQueries,
  addresses: ServerAddresses,
  options: LookOptions
): Promise<Observation> => {
  const places = options.questions.map(({ name, type }) => ({
    name,
    type,
    full: fullName(name, options.domain),
    asked: questionType(type)
  }))
  const visible = Promise.all(queries.resolvers.map((server) => askResolver(queries, server, places)))
  const delegation = await findDelegation(queries, addresses, options.domain, options.deep)
  const servers = await addressed(queries, addresses, delegation, options.deep)
  const [published, seen] = await Promise.all([
    askAuthorities(queries, servers, places, delegation.zone, options.authorities),
    visible
  ])
  const bogus = seen.some((one) => one.bogus)
  const authentic = delegation.authentic || seen.some((one) => one.authentic)
  const dnssec = bogus
    ? "bogus"
    : authentic
      ? "signed"
      : options.deep && delegation.zone !== null
        ? await signed(queries, delegation.zone)
        : "unknown"
  return {
    domain: options.domain,
    at: options.at,
    delegation: { outcome: delegation.outcome, zone: delegation.zone, servers },
    dnssec,
    asked: places.map(({ name, type }, at) => ({
      name,
      type,
      authorities: published.map((one) => one[at]!),
      resolvers: seen.map((one) => ({ server: one.server, said: one.said[at]! }))
    }))
  }
}

const askResolver = async (
  queries: DnsQueries,
  server: DnsQueries["resolvers"][number],
  places: ReadonlyArray<Place>
) => {
  let authentic = false
  const said = await queries.resolverOn(server, places, (reply, at): Said => {
    if (typeof reply === "object" && reply.authenticData) authentic = true
    return traced(reply, places[at]!.full, places[at]!.asked ?? "A")
  })
  const refused = places.find(({ asked }, at) => asked !== undefined && said[at]!.outcome === "servfail")
  return {
    server:
      server.port === 53
        ? server.address
        : server.address.includes(":")
          ? `[${server.address}]:${server.port}`
          : `${server.address}:${server.port}`,
    said,
    authentic,
    bogus: refused?.asked !== undefined && (await isBogus(queries, server, refused.full, refused.asked))
  }
}

/** All servers with all permitted addresses, in a stable order. */
const addressed = async (
  queries: DnsQueries,
  addresses: ServerAddresses,
  delegation: Delegation,
  deep: boolean
): Promise<ReadonlyArray<NameServer>> => {
  const both = deep && (await hasIPv6())
  const known = delegation.servers.map((name) => (both ? undefined : addresses.remembered(name)))
  const found = known.every((one) => one !== undefined)
    ? known
    : await Promise.all(
        delegation.servers.map(async (name) => {
          const glue = delegation.glue.get(name) ?? []
          if (glue.length > 0 && !delegation.resolved) return glue
          const known = await addresses.of(queries, name, both)
          return known.length > 0 ? known : glue
        })
      )
  const servers: Array<NameServer> = []
  for (const [at, name] of delegation.servers.entries()) {
    const [first, ...others] = found[at]!
    servers.push({ name, address: first ?? null })
    if (deep) for (const address of others) servers.push({ name, address })
  }
  return servers
}

/** Address of the root server f, which a machine with IPv6 has a route to. Source: IANA, root hints. */
const publicIPv6 = "2001:500:2f::f"

/**
 * Whether this machine has a route to the public IPv6 internet. Without one, IPv6 servers are asked only if there are
 * no others. Connecting a datagram socket sends nothing. The list of the machine's addresses would be simpler, but the
 * shipped units forbid its socket family (AF_NETLINK).
 */
const hasIPv6 = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket("udp6")
    const answer = (found: boolean) => {
      socket.close()
      resolve(found)
    }
    socket.once("error", () => answer(false)).once("connect", () => answer(true))
    socket.connect(53, publicIPv6)
  })

/** Answers of each asked server. Asks the next servers when none of the first `most` gives a definite answer. */
const askAuthorities = async (
  queries: DnsQueries,
  servers: ReadonlyArray<NameServer>,
  places: ReadonlyArray<Place>,
  zone: string | null,
  most: number
): Promise<ReadonlyArray<ReadonlyArray<Authority>>> => {
  if (zone === null) return []
  const without = servers.filter(({ address }) => address === null || !queries.admits(address))
  const askable = servers.filter(({ address }) => address !== null && queries.admits(address))
  const said: Array<ReadonlyArray<Authority>> = without.map((server) =>
    places.map(() => ({ server, said: nothing(server.address === null ? "unreachable" : "forbidden") }))
  )
  for (let from = 0; from < askable.length; from += most) {
    const round = await Promise.all(
      askable.slice(from, from + most).map((server) => askAuthority(queries, server, places, zone))
    )
    said.push(...round)
    if (round.some((one) => one.every((each) => isClean(each.said))) || performance.now() >= queries.until) break
  }
  return said
}

const askAuthority = (
  queries: DnsQueries,
  server: NameServer,
  places: ReadonlyArray<Place>,
  zone: string
): Promise<ReadonlyArray<Authority>> =>
  server.address === null
    ? Promise.resolve(places.map(() => ({ server, said: nothing("malformed") })))
    : queries.authorityOn(server.address, places, zone, (said) => ({ server, said }))
