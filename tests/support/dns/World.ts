// A small internet: a root and the registry of .test in one Knot, a resolver, and whatever else a test adds to its
// network.

import { Effect, type Scope } from "effect"
import type { PeerError } from "../peers/PeerError.ts"
import * as Knot from "./Knot.ts"
import type { Network } from "./Network.ts"
import * as Unbound from "./Unbound.ts"

export interface World {
  readonly network: Network
  readonly registry: Knot.Knot
  readonly resolver: Unbound.Unbound
  /** What dns-verifier is told of it. */
  readonly config: {
    readonly resolvers: ReadonlyArray<string>
    readonly dnsAllowCidrs: ReadonlyArray<string>
    readonly dnsPort: number
  }
}

/** Hosts of the network that are taken. */
export const registryHost = 1
export const resolverHost = 2

/** `delegations`: lines of the zone `test`; it is signed, and the resolver knows its keys. Gone with the scope. */
export const make = Effect.fnUntraced(function* (
  network: Network,
  delegations: ReadonlyArray<string>
): Effect.fn.Return<World, PeerError, Scope.Scope> {
  const registryAddress = network.address(registryHost)
  const registry = yield* Knot.make({
    address: registryAddress,
    zones: {
      "": {
        lines: [
          "@ NS a.root.invalid.",
          `a.root.invalid A ${registryAddress}`,
          "test NS a.nic.test.",
          `a.nic.test A ${registryAddress}`
        ]
      },
      test: { lines: registryLines(network, delegations), signed: true }
    }
  })
  const anchors = yield* registry.ds("test")
  const resolver = yield* Unbound.make({
    address: network.address(resolverHost),
    root: registryAddress,
    trustAnchors: anchors.map((ds) => `test. DS ${ds}`)
  })
  return {
    network,
    registry,
    resolver,
    config: { resolvers: [resolver.address], dnsAllowCidrs: [network.cidr], dnsPort: 53 }
  }
})

/** What stands in the zone `test` with these delegations, for `registry.write`. */
export const registryLines = (network: Network, delegations: ReadonlyArray<string>): ReadonlyArray<string> => [
  "@ NS a.nic",
  `a.nic A ${network.address(registryHost)}`,
  ...delegations
]

/**
 * Lines that delegate a zone below `test` to servers of its own names: `ns1`, `ns2` and so on, with their addresses.
 */
export const delegate = (
  zone: string,
  addresses: ReadonlyArray<string>,
  ds: ReadonlyArray<string> = []
): ReadonlyArray<string> => [
  ...addresses.flatMap((address, at) => [`${zone} NS ns${at + 1}.${zone}`, `ns${at + 1}.${zone} A ${address}`]),
  ...ds.map((data) => `${zone} DS ${data}`)
]

/** The lines of a zone itself that go with `delegate`. */
export const ownServers = (addresses: ReadonlyArray<string>): ReadonlyArray<string> =>
  addresses.flatMap((address, at) => [`@ NS ns${at + 1}`, `ns${at + 1} A ${address}`])
