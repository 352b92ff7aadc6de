import fc from "fast-check"
import { expect, it } from "vitest"
import { canonicalIPv6, ipv6Text } from "#protocols/dns/AddressText.ts"

const groups = fc.array(fc.oneof(fc.constant(0), fc.constant(1), fc.nat(0xffff)), { minLength: 8, maxLength: 8 })

it("writes an address in one way, from text and from the wire", () => {
  fc.assert(
    fc.property(groups, (numbers) => {
      const octets = Buffer.alloc(18)
      numbers.forEach((number, at) => octets.writeUInt16BE(number, 2 + 2 * at))
      expect(ipv6Text(octets, 2)).toBe(
        canonicalIPv6(numbers.map((number) => number.toString(16).toUpperCase()).join(":"))
      )
    }),
    { numRuns: 500 }
  )
  expect(canonicalIPv6("2001:DB8:0:0:1:0:0:0")).toBe("2001:db8:0:0:1::")
  expect([canonicalIPv6("fe80::1%eth0"), canonicalIPv6("192.0.2.1"), canonicalIPv6("x")]).toEqual([
    undefined,
    undefined,
    undefined
  ])
})
