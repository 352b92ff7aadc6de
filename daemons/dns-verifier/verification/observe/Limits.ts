/** Limits of the DNS queries for one check of a domain. */
import { defaultLimits, type Limits as ClientLimits, strangerLimits } from "#protocols/dns/Client.ts"
import type { GateLimits } from "#protocols/dns/Gates.ts"

export interface DepthLimits {
  /** Time limit of the check. Unit: milliseconds. */
  readonly within: number
  /** Name servers asked at a time. The next ones are asked only if none of them gives a definite answer. */
  readonly authorities: number
  /** Number of resolvers asked. */
  readonly resolvers: number
}

export interface ObserverLimits {
  readonly quick: DepthLimits
  readonly deep: DepthLimits
  readonly tries: ClientLimits["tries"]
  /** Time limit of a query over TCP. Unit: milliseconds. */
  readonly tcp: number
  /** Queries in flight in the whole process. */
  readonly inAll: number
  readonly authority: GateLimits
  readonly resolver: GateLimits
}

/**
 * Most name servers of one domain, by name. Reason: the root has 13, and more would let a domain make us send many
 * queries.
 */
export const maxNameServers = 13

/** Maximum number of addresses of one name server, per family. */
export const maxAddresses = 2

/** Maximum number of servers of the parent zone that are tried. */
export const maxParents = 3

export const observerLimits: ObserverLimits = {
  // Two servers show a disagreement. Every check picks the same two, so that the result does not flap.
  quick: { within: 10_000, authorities: 2, resolvers: 2 },
  deep: { within: 20_000, authorities: 2 * 2 * maxNameServers, resolvers: 4 },
  tries: defaultLimits.tries,
  tcp: defaultLimits.tcp,
  inAll: 1024,
  // One provider serves many customers, and its servers handle hundreds of times this rate.
  authority: { inFlight: 4 * strangerLimits.inFlight, rate: 500 },
  // More parallel queries get lost, even on one machine.
  resolver: { inFlight: 128, rate: 5000 }
}
