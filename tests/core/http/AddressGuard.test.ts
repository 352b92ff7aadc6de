import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { judge, parseCidr } from "#core/http/AddressGuard.ts"

const forbidden = (address: string, ...cidrs: Array<string>) =>
  "forbidden" in
  judge(
    address,
    cidrs.map((text) => parseCidr(text)!)
  )

describe("AddressGuard", () => {
  it.each([
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
    "::",
    "::1",
    "::127.0.0.1",
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:0:7f00:1::",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",
    "2002:a9fe:a9fe::",
    "::ffff:a9fe:a9fe",
    "2001:2::1",
    "2001:10::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:808:808::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "127.1",
    "0x7f.1",
    "2130706433",
    "0177.0.0.1",
    "127.0.0.1.",
    "localhost",
    "localhost.",
    ""
  ])("forbids %s", (address) => assert.isTrue(forbidden(address)))

  it.each([
    "8.8.8.8",
    "1.1.1.1",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.0.1",
    "172.32.0.1",
    "193.99.144.80",
    "2606:4700::1111",
    "2a00:1450:4001::200e",
    "2003::1"
  ])("admits %s", (address) => assert.deepStrictEqual(judge(address), { admitted: "public" }))

  it("admits only listed networks", () => {
    assert.deepStrictEqual(judge("127.0.0.1", [parseCidr("127.0.0.1")!]), { admitted: "byList" })
    assert.isTrue(forbidden("127.0.0.2", "127.0.0.1"))
    assert.isFalse(forbidden("10.1.255.255", "192.168.0.0/16", "10.1.0.0/16"))
    assert.isTrue(forbidden("10.2.0.0", "10.1.0.0/16"))
    assert.isFalse(forbidden("fd00::5", "fd00::/8"))
    assert.isTrue(forbidden("::ffff:10.1.0.1", "10.1.0.0/16"))
  })

  it.each(["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "10.1/16", "example.org", "", "/8", "::/129"])(
    "refuses %j as a network",
    (text) => assert.isUndefined(parseCidr(text))
  )

  it("refuses IPv6 addresses that embed a private IPv4 address", () => {
    const scheme = fc.constantFrom("::", "::ffff:", "::ffff:0:", "64:ff9b::", "64:ff9b:1::", "2001::", "2002:")
    fc.assert(
      fc.property(scheme, fc.ipV4(), (prefix, address) => {
        const [a, b, c, d] = address.split(".").map(Number)
        const hex = `${((a! << 8) | b!).toString(16)}:${((c! << 8) | d!).toString(16)}`
        assert.isTrue(forbidden(prefix === "2002:" ? `2002:${hex}::1` : `${prefix}${hex}`))
      })
    )
  })
})
