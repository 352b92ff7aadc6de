import { describe, expect, it } from "vitest"
import { banProblem, widthProblem } from "#daemons/watchdog/bans/AddressRefusal.ts"

const guarded = { trusted: ["203.0.113.8/29"], own: ["192.0.2.10", "2001:db8::10"], caller: "198.51.100.7" }

describe("bans by hand", () => {
  it.each([
    ["0.0.0.0/0", "too wide"],
    ["10.0.0.0/15", "too wide"],
    ["::/0", "too wide"],
    ["2001:db8::/31", "too wide"],
    ["127.0.0.1", "loopback"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "loopback"],
    ["::ffff:192.0.2.10", "address of this host"],
    ["::ffff:0:0/96", "no client"],
    ["0.0.0.0", "no client"],
    ["255.255.255.255", "no client"],
    ["239.1.2.3", "no client"],
    ["fe80::1", "no client"],
    ["203.0.113.9", "trusted proxy"],
    ["203.0.113.0/24", "trusted proxy"],
    ["192.0.2.0/24", "address of this host"],
    ["2001:db8::/64", "address of this host"],
    ["198.51.100.7", "your own address"],
    ["198.51.0.0/16", "your own address"],
    ["nonsense", "must be"],
    ["12", "must be"]
  ])("%s is refused: %s", (address, why) => expect(banProblem(address, guarded)).toContain(why))

  it.each(["198.51.100.8", "192.0.3.0/24", "10.0.0.0/16", "2001:db8:1::/64", "2001:db9::/32", "203.0.113.16"])(
    "%s is allowed",
    (address) => expect(banProblem(address, guarded)).toBeUndefined()
  )

  it("the command line has no address of its own", () =>
    expect(banProblem("198.51.100.7", { ...guarded, caller: undefined })).toBeUndefined())
})

it("exemptions may cover proxies, but not everybody", () => {
  expect(widthProblem("203.0.113.8/29")).toBeUndefined()
  expect(widthProblem("0.0.0.0/1")).toContain("too wide")
})
