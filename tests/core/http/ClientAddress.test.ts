import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { resolveClient, trustedFrom } from "#core/http/ClientAddress.ts"

describe("resolveClient", () => {
  const trusted = trustedFrom(["10.0.0.0/8", "fd00::/8"])
  const inside = fc.ipV4().map((address) => `10.${address.split(".").slice(1).join(".")}`)
  const outside = fc.ipV4().filter((address) => !address.startsWith("10."))
  const junk = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), inside)

  it("ignores headers of an untrusted peer", () => {
    fc.assert(
      fc.property(outside, fc.array(junk), (peer, chain) => resolveClient(peer, chain.join(","), trusted) === peer)
    )
  })

  it("returns the nearest untrusted hop, regardless of headers of the client", () => {
    fc.assert(
      fc.property(
        fc.array(junk),
        outside,
        fc.array(inside),
        inside,
        (forged, client, proxies, peer) =>
          resolveClient(peer, [...forged, client, ...proxies].join(", "), trusted) === client
      )
    )
  })

  it("returns the peer's address", () => {
    fc.assert(
      fc.property(inside, fc.array(junk), (peer, chain) => {
        const client = resolveClient(peer, chain, trusted)
        return (
          client === peer ||
          chain
            .join(",")
            .split(",")
            .some((hop) => hop.trim().replace(/^::ffff:(?=.*\.)/, "") === client)
        )
      })
    )
  })

  it("reads IPv4-mapped addresses as IPv4", () => {
    assert.strictEqual(resolveClient("10.0.0.1", "::ffff:198.51.100.7", trusted), "198.51.100.7")
    assert.isTrue(trustedFrom(["127.0.0.0/8"])("::ffff:127.0.0.1"))
    assert.isFalse(trustedFrom(["127.0.0.0/8"])("nonsense"))
  })
})
