// A small internet: one Knot with the root zone and the `test` zone, a resolver, and servers that a test adds to its
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
  /** Settings of dns-verifier for this world. */
  readonly config: {
    readonly resolvers: ReadonlyArray<string>
    readonly dnsAllowCidrs: ReadonlyArray<string>
    readonly dnsPort: number
  }
}

/** Host numbers used by this world. */
export const registryHost = 1
export const resolverHost = 2

/**
 * Starts the servers until the end of the scope. `delegations`: lines of the zone `test`. The zone is signed, and the
 * resolver trusts its keys.
 */
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

/** Lines of the zone `test` with these delegations, for `registry.write`. */
export const registryLines = (network: Network, delegations: ReadonlyArray<string>): ReadonlyArray<string> => [
  "@ NS a.nic",
  `a.nic A ${network.address(registryHost)}`,
  ...delegations
]

/** Lines of `test` that delegate a zone to name servers below its own name: `ns1`, `ns2` and so on, with addresses. */
export const delegate = (
  zone: string,
  addresses: ReadonlyArray<string>,
  ds: ReadonlyArray<string> = []
): ReadonlyArray<string> => [
  ...addresses.flatMap((address, at) => [`${zone} NS ns${at + 1}.${zone}`, `ns${at + 1}.${zone} A ${address}`]),
  ...ds.map((data) => `${zone} DS ${data}`)
]

/** Lines of the delegated zone itself that match `delegate`. */
export const ownServers = (addresses: ReadonlyArray<string>): ReadonlyArray<string> =>
  addresses.flatMap((address, at) => [`@ NS ns${at + 1}`, `ns${at + 1} A ${address}`])
