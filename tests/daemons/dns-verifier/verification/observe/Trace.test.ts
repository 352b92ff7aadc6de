import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Reply, WireRecord } from "#protocols/dns/Message.ts"
import { isWithin } from "#protocols/dns/Name.ts"
import { typeNumbers } from "#protocols/dns/RecordData.ts"
import { joined, maxChain, nothing, trace } from "#daemons/dns-verifier/verification/observe/Trace.ts"

const record = (type: keyof typeof typeNumbers, name: string, content: string, ttl = 60): WireRecord => ({
  type: typeNumbers[type],
  name,
  content,
  ttl
})
const reply = (answers: ReadonlyArray<WireRecord>, more: Partial<Reply> = {}): Reply => ({
  rcode: 0,
  authoritative: true,
  truncated: false,
  authenticData: false,
  answers,
  authorities: [],
  additionals: [],
  ...more
})
const zone = "example.test"
const www = `www.${zone}`
const said = (answers: ReadonlyArray<WireRecord>, more: Partial<Reply> = {}, of: string | null = zone) =>
  trace(reply(answers, more), www, "A", of)

describe("what one reply says", () => {
  it("the values at the end of the chain are distinct, sorted, and have the lowest TTL of the chain", () => {
    expect(
      said([
        record("A", "b.example.test", "192.0.2.2", 90),
        record("A", "b.example.test", "192.0.2.1", 80),
        record("A", "b.example.test", "192.0.2.2", 90),
        record("CNAME", www, "b.example.test", 30)
      ])
    ).toEqual({ outcome: "answer", values: ["192.0.2.1", "192.0.2.2"], ttl: 30, chain: ["b.example.test"] })
    expect(said([])).toEqual(nothing("nodata"))
    expect(said([record("AAAA", www, "2001:db8::1")])).toEqual(nothing("nodata"))
  })

  it.each([
    [{ rcode: 3 }, "nxdomain"],
    [{ rcode: 2, authoritative: false }, "servfail"],
    [{ rcode: 5, authoritative: false }, "refused"],
    [{ authoritative: false }, "lame"],
    [{ authoritative: false, rcode: 3 }, "lame"],
    [{ rcode: 9, authoritative: false }, "lame"]
  ])("of an authority %j: %s", (more, outcome) => {
    expect(said([], more)).toEqual(nothing(outcome as "lame"))
  })

  it("values without the AA bit count from a resolver only", () => {
    const answers = [record("A", www, "192.0.2.1")]
    expect(said(answers, { authoritative: false })).toEqual(nothing("lame"))
    expect(said(answers, { authoritative: false }, null)).toMatchObject({ outcome: "answer" })
  })

  it("a chain that leaves the zone, or enters a delegated child, is followed by another query", () => {
    const away = [record("CNAME", www, "cdn.other.test", 30), record("A", "cdn.other.test", "198.51.100.66")]
    expect(said(away)).toEqual({ leavesTo: "cdn.other.test", chain: ["cdn.other.test"], ttl: 30 })
    expect(said(away, {}, null)).toMatchObject({ outcome: "answer", values: ["198.51.100.66"] })
    expect(said([record("CNAME", www, "b.example.test", 30)])).toEqual({
      leavesTo: "b.example.test",
      chain: ["b.example.test"],
      ttl: 30
    })
    const below = (name: string) =>
      said([], { authoritative: false, authorities: [record("NS", name, "ns.other.test")] })
    expect(below(www)).toEqual({ leavesTo: www, chain: [], ttl: null })
    // Upwards, or to itself, is what servers do that do not run the zone.
    for (const name of ["test", "", zone, "mail.example.test"]) expect(below(name)).toEqual(nothing("lame"))
  })

  it("a repeating or too long chain is a loop, also across zones", () => {
    const hop = (n: number) => (n === 0 ? www : `h${n}.example.test`)
    const chain = (length: number) => Array.from({ length }, (_, n) => record("CNAME", hop(n), hop(n + 1)))
    expect(said([...chain(maxChain), record("A", hop(maxChain), "192.0.2.1")])).toMatchObject({ outcome: "answer" })
    expect(said([...chain(maxChain + 1), record("A", hop(maxChain + 1), "192.0.2.1")])).toMatchObject({
      outcome: "cname_loop"
    })
    expect(said([record("CNAME", www, www)])).toMatchObject({ outcome: "cname_loop", values: [] })
    const before = { leavesTo: "a.other.test", chain: ["b.example.test", "a.other.test"], ttl: 30 }
    const after = (hops: ReadonlyArray<string>) => ({
      outcome: "answer" as const,
      values: ["192.0.2.1"],
      ttl: 60,
      chain: hops
    })
    expect(joined(www, before, after(["c.other.test"]))).toEqual({
      outcome: "answer",
      values: ["192.0.2.1"],
      ttl: 30,
      chain: ["b.example.test", "a.other.test", "c.other.test"]
    })
    expect(joined(www, before, after([www]))).toMatchObject({ outcome: "cname_loop", values: [] })
    expect(joined(www, before, after(["b.example.test"]))).toMatchObject({ outcome: "cname_loop" })
  })
})

it("ignores records outside of the zone, and does not depend on the order of records", () => {
  const name = fc.constantFrom(
    www,
    zone,
    "b.example.test",
    "c.example.test",
    "other.test",
    "a.other.test",
    "badexample.test",
    "test"
  )
  const records = fc.array(
    fc.oneof(
      fc.tuple(name, name).map(([owner, target]) => record("CNAME", owner, target)),
      fc.tuple(name, fc.ipV4()).map(([owner, address]) => record("A", owner, address))
    ),
    { maxLength: 12 }
  )
  fc.assert(
    fc.property(records, fc.constantFrom(0, 3), (answers, rcode) => {
      const found = said(answers, { rcode })
      expect(said([...answers].reverse(), { rcode })).toEqual(found)
      if ("leavesTo" in found) return
      const own = answers
        .filter((one) => one.type === typeNumbers.A && isWithin(one.name, zone))
        .map(({ content }) => content)
      for (const value of found.values) expect(own).toContain(value)
      expect(found.chain.length).toBeLessThanOrEqual(maxChain + 1)
    }),
    { numRuns: 1000 }
  )
})
