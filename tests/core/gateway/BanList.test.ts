import { make, normalised, overlap } from "#core/gateway/BanList.ts"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"

const ban = (address: string, until = 100) => ({ address, until })

describe("BanList", () => {
  it("contains addresses and ranges until their end", () => {
    const banned = make([ban("192.0.2.1"), ban("198.51.100.0/24"), ban("2001:db8::1"), ban("2001:db8:f::/48", 50)], [])
    for (const address of ["192.0.2.1", "198.51.100.200", "2001:db8::1", "2001:0db8:0::0001", "2001:db8:f:1::9"]) {
      assert.isTrue(banned(address, 49), address)
      assert.isFalse(banned(address, 100), address)
    }
    assert.isFalse(banned("2001:db8:f:1::9", 50))
    for (const address of ["192.0.2.2", "198.51.101.1", "2001:db8::2", "::1", "unknown", ""])
      assert.isFalse(banned(address, 0), address)
  })

  it("omits bans that overlap an exempt range, and unreadable ones", () => {
    const never = ["127.0.0.0/8", "::1/128", "10.1.0.0/16"]
    const banned = make(
      ["127.0.0.1", "0.0.0.0/0", "::/0", "10.1.2.3", "10.0.0.0/8", "nonsense", "10.2.0.0/16"].map((address) =>
        ban(address)
      ),
      never
    )
    for (const address of ["127.0.0.1", "::1", "10.1.2.3", "10.3.0.1", "203.0.113.1"])
      assert.isFalse(banned(address, 0), address)
    assert.isTrue(banned("10.2.3.4", 0))
  })

  it("normalises addresses, without host bits", () => {
    assert.strictEqual(normalised("192.0.2.77/24"), "192.0.2.0/24")
    assert.strictEqual(normalised(" 192.0.2.77 "), "192.0.2.77/32")
    assert.strictEqual(normalised("::ffff:192.0.2.77"), "192.0.2.77/32")
    assert.strictEqual(normalised("2001:DB8:0:0::1/64"), "2001:db8::/64")
    for (const text of ["", "1", "192.0.2.1/33", "example.org", "192.0.2.1/x"])
      assert.isUndefined(normalised(text), text)
  })

  it("bans exactly the addresses of a range", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (range, address, bits) => {
        const value = (text: string) => text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0)
        const inside = Math.floor(value(range) / 2 ** (32 - bits)) === Math.floor(value(address) / 2 ** (32 - bits))
        return (
          make([ban(`${range}/${bits}`)], [])(address, 0) === inside &&
          overlap(`${range}/${bits}`, address) === inside &&
          overlap(address, `${range}/${bits}`) === inside
        )
      })
    )
  })
})
