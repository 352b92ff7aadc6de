import { describe, expect, it } from "vitest"
import fc from "fast-check"
import { type BannedRange, banFiles, crowdsecFile, maxRanges, trunkFile } from "#core/bans/BanFiles.ts"
import * as BanList from "#core/gateway/BanList.ts"

const now = 1_800_000_000_000
const minute = 60_000

const written = (bans: ReadonlyArray<BannedRange>, at = now) =>
  Object.fromEntries(banFiles(bans, at).map(({ name, text }) => [name, text.split("\n").slice(1).join("\n")]))

/** Bans of `addresses`, for an hour. */
const hour = (...addresses: ReadonlyArray<string>) =>
  addresses.map((address) => ({ address, until: now + 60 * minute }))

describe("the files of banned ranges", () => {
  it("have each range once, in the words of each program", () => {
    const files = written([
      { address: "203.0.113.0/24", until: now + 90_500 },
      ...hour("2001:db8::/64", "198.51.100.7/32")
    ])
    expect(files["banned.txt"]).toBe("198.51.100.7/32\n203.0.113.0/24\n2001:db8::/64\n")
    expect(files["banned.nginx.conf"]).toBe("198.51.100.7/32 1;\n203.0.113.0/24 1;\n2001:db8::/64 1;\n")
    expect(files["banned.caddyfile"]).toBe(
      "@signalbox_banned remote_ip 198.51.100.7/32 203.0.113.0/24 2001:db8::/64\nrespond @signalbox_banned 403\n"
    )
    expect(files["banned.nft"]).toBe(
      "flush set inet signalbox banned4\n" +
        "add element inet signalbox banned4 {\n" +
        "  198.51.100.7/32 timeout 3600s,\n  203.0.113.0/24 timeout 91s\n}\n" +
        "flush set inet signalbox banned6\n" +
        "add element inet signalbox banned6 {\n  2001:db8::/64 timeout 3600s\n}\n"
    )
  })

  it("have no entries without bans, and the sets are emptied", () => {
    for (const files of [written([]), written([{ address: "198.51.100.7/32", until: now }])])
      expect(files).toEqual({
        "banned.txt": "",
        "banned.nginx.conf": "",
        "banned.caddyfile": "",
        "banned.nft": "flush set inet signalbox banned4\nflush set inet signalbox banned6\n"
      })
  })

  it("leave a range out while another one holds it", () => {
    const bans = [
      { address: "198.51.100.7/32", until: now + 20 * minute },
      { address: "198.51.100.0/24", until: now + 10 * minute }
    ]
    expect(written(bans)["banned.txt"]).toBe("198.51.100.0/24\n")
    expect(written(bans, now + 11 * minute)["banned.txt"]).toBe("198.51.100.7/32\n")
  })

  it("have a new state when a ban is added, ends or is prolonged, and only then", () => {
    const state = (bans: ReadonlyArray<BannedRange>, at = now) => banFiles(bans, at)[0]!.state
    const one = hour("198.51.100.7/32")
    expect(state(one, now + minute)).toBe(state(one))
    const others = [
      [],
      hour("198.51.100.7/32", "198.51.100.8/32"),
      [{ address: "198.51.100.7/32", until: now + 61 * minute }]
    ]
    for (const other of others) expect(state(other)).not.toBe(state(one))
    for (const { state, text } of banFiles(one, now)) expect(text.split("\n")[0]).toContain(state)
  })

  it("have at most so many ranges, the longest-lasting first", () => {
    const many = Array.from({ length: maxRanges + 5 }, (_, index) => ({
      address: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}/32`,
      until: now + 1_000 + index
    }))
    const lines = written(many)["banned.txt"]!.trim().split("\n")
    expect(lines).toHaveLength(maxRanges)
    expect(lines).not.toContain("10.0.0.4/32")
    expect(lines).toContain("10.0.0.5/32")
  })

  it("refuse exactly the addresses of the ban list", () => {
    const range = fc
      .tuple(fc.nat(3), fc.nat(3), fc.integer({ min: 22, max: 32 }))
      .map(([third, fourth, bits]) => BanList.normalised(`198.51.${third}.${fourth * 64}/${bits}`)!)
    fc.assert(
      fc.property(fc.array(range, { maxLength: 12 }), fc.nat(3), fc.nat(255), (ranges, third, fourth) => {
        const bans = hour(...ranges)
        const lines = written(bans)
          ["banned.txt"]!.trim()
          .split("\n")
          .filter((line) => line !== "")
        const address = `198.51.${third}.${fourth}`
        const listed = lines.filter((line) => BanList.overlap(line, `${address}/32`))
        expect(listed.length).toBe(BanList.make(bans, [])(address, now) ? 1 : 0)
      })
    )
  })
})

it("the bans of another program are in sets of their own, which the file creates", () => {
  const text = crowdsecFile(hour("198.51.100.7/32", "198.51.100.0/24"), now).text.split("\n").slice(1).join("\n")
  expect(text).toBe(
    "add set inet signalbox crowdsec4 { type ipv4_addr; flags interval, timeout; }\n" +
      "flush set inet signalbox crowdsec4\n" +
      "add element inet signalbox crowdsec4 {\n  198.51.100.0/24 timeout 3600s\n}\n" +
      "add set inet signalbox crowdsec6 { type ipv6_addr; flags interval, timeout; }\n" +
      "flush set inet signalbox crowdsec6\n"
  )
})

it("the networks of trunks are sets without an end", () => {
  expect(trunkFile(["192.0.2.7/32", "192.0.2.0/24", "2001:db8::/32"]).text.split("\n").slice(1).join("\n")).toBe(
    "flush set inet signalbox trunks4\n" +
      "add element inet signalbox trunks4 {\n  192.0.2.0/24\n}\n" +
      "flush set inet signalbox trunks6\n" +
      "add element inet signalbox trunks6 {\n  2001:db8::/32\n}\n"
  )
  expect(trunkFile([]).text).not.toContain("add element")
  expect(trunkFile([]).state).not.toBe(trunkFile(["192.0.2.7/32"]).state)
})
