import ipaddr from "ipaddr.js"
import { networkInterfaces } from "node:os"
import { expect, it } from "vitest"
import { hostAddresses, localIpv4, localIpv6 } from "#daemons/watchdog/bans/HostAddresses.ts"

const plain = (addresses: ReadonlyArray<string>) =>
  [...new Set(addresses.map((address) => ipaddr.parse(address.replace(/%.*/, "")).toNormalizedString()))].toSorted()

it("the kernel's tables name the same addresses as the network interfaces", () => {
  const listed = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
  expect(plain(hostAddresses())).toEqual(plain(listed))
})

it("reads local addresses only", () => {
  const trie =
    "Local:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 192.0.2.2\n        /32 host LOCAL\n     |-- 192.0.2.255\n        /32 link BROADCAST\n"
  expect(localIpv4(trie)).toEqual(["192.0.2.2"])
  expect(localIpv6("20010db8000000000000000000000007 02 40 00 80     eth0\n")).toEqual([
    "2001:0db8:0000:0000:0000:0000:0000:0007"
  ])
  expect(localIpv6("")).toEqual([])
})
