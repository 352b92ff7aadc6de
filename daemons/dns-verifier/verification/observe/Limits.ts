/** Limits of the DNS queries for one look at a domain. */
import { defaultLimits, type Limits as ClientLimits, strangerLimits } from "#protocols/dns/Client.ts"
import type { GateLimits } from "#protocols/dns/Gates.ts"

export interface DepthLimits {
  /** The whole look. Unit: milliseconds. */
  readonly within: number
  /** Name servers asked at a time; where none of them says anything clean, the next ones are. */
  readonly authorities: number
  /** Resolvers asked. */
  readonly resolvers: number
}

export interface ObserverLimits {
  readonly quick: DepthLimits
  readonly deep: DepthLimits
  readonly tries: ClientLimits["tries"]
  /** Unit: milliseconds. */
  readonly tcp: number
  /** Unit: questions in flight. */
  readonly inAll: number
  readonly authority: GateLimits
  readonly resolver: GateLimits
}

/**
 * Name servers of a domain that are taken notice of, by name. Reason: the root has 13; the rest would be a way to make
 * us ask many.
 */
export const maxNameServers = 13

/** Addresses of one name server that are taken notice of, of each family. */
export const maxAddresses = 2

/** How many of the parent zone's servers may be tried until one says who runs the domain. */
export const maxParents = 3

export const observerLimits: ObserverLimits = {
  // Two say whether they agree; which two is the same at each look, so that nothing flaps.
  quick: { within: 10_000, authorities: 2, resolvers: 2 },
  deep: { within: 20_000, authorities: 2 * 2 * maxNameServers, resolvers: 4 },
  tries: defaultLimits.tries,
  tcp: defaultLimits.tcp,
  inAll: 1024,
  // Of one provider that runs the DNS of many customers; its servers answer hundreds of times as much.
  authority: { inFlight: 4 * strangerLimits.inFlight, rate: 500 },
  // More at once is lost on the way, even on one machine.
  resolver: { inFlight: 128, rate: 5000 }
}
