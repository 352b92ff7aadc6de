/**
 * SPF texts: ours put into others' and taken out again. Source of the cases: RFC 7208, and texts as domains have them.
 */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Spf from "#daemons/dns-verifier/record-sets/Spf.ts"

const ours = ["ip4:192.0.2.1", "ip6:2001:db8::1"]

describe("Spf", () => {
  it("distinguishes SPF texts from others", () => {
    for (const text of ["v=spf1", "v=spf1 -all", "V=SPF1 a"]) expect(Spf.isSpf(text), text).toBe(true)
    for (const text of ["v=spf10 -all", "v=spf2.0/pra", "spf1", " v=spf1", "v=DMARC1; p=none"])
      expect(Spf.isSpf(text), text).toBe(false)
  })

  it("inserts our mechanisms once, at the front, and keeps the others", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["v=spf1 include:_spf.example.net ~all", "v=spf1 ip4:192.0.2.1 ip6:2001:db8::1 include:_spf.example.net ~all"],
      ["v=spf1 ip4:192.0.2.1 -all", "v=spf1 ip6:2001:db8::1 ip4:192.0.2.1 -all"],
      ["v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all", "v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all"],
      ["v=spf1 +IP4:192.0.2.1 ip6:2001:DB8:0:0::1 mx", "v=spf1 +IP4:192.0.2.1 ip6:2001:DB8:0:0::1 mx"],
      // Behind all nothing is looked at, and what fails first is not undone later.
      [
        "v=spf1 -all ip4:192.0.2.1 ip6:2001:db8::1",
        "v=spf1 ip4:192.0.2.1 ip6:2001:db8::1 -all ip4:192.0.2.1 ip6:2001:db8::1"
      ],
      ["v=spf1 -ip4:192.0.2.0/24 ip6:2001:db8::1 -all", "v=spf1 ip4:192.0.2.1 -ip4:192.0.2.0/24 ip6:2001:db8::1 -all"],
      ["v=spf1 redirect=_spf.example.net", "v=spf1 ip4:192.0.2.1 ip6:2001:db8::1 redirect=_spf.example.net"],
      ["v=spf1", "v=spf1 ip4:192.0.2.1 ip6:2001:db8::1"]
    ]
    for (const [text, wanted] of cases) expect(Spf.merge(text, ours)?.text, text).toBe(wanted)
  })

  it("does not merge into an invalid text", () => {
    for (const text of [
      "v=spf1 include: -all",
      "v=spf1 ipv4:192.0.2.1 -all",
      "v=spf1 ip4:192.0.2.300 -all",
      "v=spf1 ip4:192.0.2.0/33",
      "v=spf1 ip4:2001:db8::1",
      "v=spf1 all:x"
    ]) {
      expect(Spf.merge(text, ours), text).toBeUndefined()
      expect(Spf.strip(text, ours), text).toBe(text)
    }
  })

  it("counts the terms that need DNS queries", () => {
    expect(
      Spf.lookups(
        "v=spf1 a mx ptr a:b.example a/24 mx/24//64 include:c.example exists:%{i}.d.example redirect=e.example ip4:192.0.2.1 ip6:::1 -all"
      )
    ).toBe(9)
    expect(Spf.lookups("v=spf1 -all exp=a.example")).toBe(0)
  })

  const term = fc.constantFrom(
    "a",
    "mx",
    "~mx/24",
    "include:_spf.example.net",
    "?ptr",
    "exists:x.example",
    "ip4:192.0.2.1",
    "+ip4:192.0.2.0/28",
    "-ip4:192.0.2.1",
    "ip6:2001:db8::1",
    "ip4:203.0.113.7",
    "-all",
    "~all",
    "exp=e.example"
  )
  const text = fc.array(term, { maxLength: 8 }).map((terms) => ["v=spf1", ...terms].join(" "))

  it("merges idempotently, keeps the order of terms, and strip restores the original", () =>
    fc.assert(
      fc.property(text, (there) => {
        const merged = Spf.merge(there, ours)!
        expect(Spf.merge(merged.text, ours)).toEqual({ text: merged.text, added: [] })
        const terms = Spf.termsOf(merged.text)!
        expect(terms.slice(merged.added.length)).toEqual(Spf.termsOf(there))
        const all = terms.findIndex((one) => /^[-~]all$/.test(one))
        for (const one of merged.added) if (all !== -1) expect(terms.indexOf(one)).toBeLessThan(all)
        // What was added and stood nowhere before comes out without a trace.
        if (merged.added.every((one) => !there.includes(one))) expect(Spf.strip(merged.text, merged.added)).toBe(there)
      })
    ))

  it("accepts any text", () =>
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.boolean(), (rest, known) => {
        const there = known ? `v=spf1 ${rest}` : rest
        const merged = Spf.merge(there, ours)
        expect(merged === undefined || Spf.isSpf(merged.text)).toBe(true)
        Spf.strip(there, ours)
        Spf.lookups(there)
      })
    ))
})
