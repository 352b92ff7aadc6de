/** Plans for one domain's zone: what they touch, what they leave, and that they come to an end. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { common, setKey, sameContents, setAt, without } from "#daemons/dns-verifier/record-sets/CanonicalContent.ts"
import type { Plan } from "#daemons/dns-verifier/zones/Plan.ts"
import * as Spf from "#daemons/dns-verifier/record-sets/Spf.ts"
import { desiredSetsOf } from "#daemons/dns-verifier/record-sets/DesiredSets.ts"
import {
  afterStep,
  applied,
  domain,
  edited,
  edits,
  mailWish,
  noWishes,
  type Place,
  planFor,
  set,
  wishes,
  zones
} from "./Zones.ts"

const platform = { ipv4: "192.0.2.1", ipv6: "2001:db8::1" }
const shown = (plan: Plan) =>
  plan.steps.map(
    ({ after, before, name, type }) =>
      `${type} ${name}: ${before?.join(", ") ?? "none"} -> ${after?.join(", ") ?? "none"}`
  )
const codes = (plan: Plan) => plan.warnings.map(({ code, name, type }) => `${code} ${type} ${name}`)
const foreign = (...sets: Place["zone"]): Place => ({ zone: sets, owned: [] })

describe("a plan", () => {
  it("creates missing records, MX after the records that it needs", () => {
    const plan = planFor(foreign(), { ...noWishes, platform, mail: [mailWish()] })
    expect(shown(plan)).toEqual([
      "A @: none -> 192.0.2.1",
      "AAAA @: none -> 2001:db8::1",
      "A www: none -> 192.0.2.1",
      "TXT mail._domainkey: none -> v=DKIM1; k=rsa; p=AAAA",
      "TXT @: none -> v=spf1 ip4:192.0.2.1 -all",
      "TXT _dmarc: none -> v=DMARC1; p=quarantine; rua=mailto:postmaster@example.org",
      "MX @: none -> 10 mail.platform.example",
      "CNAME autoconfig: none -> mail.platform.example"
    ])
    expect(plan.warnings).toEqual([])
    expect(plan.steps[0]!.reason).toBe("Required by the platform; missing in the zone")
  })

  it("includes mail subdomains of the domain, and no other mail domains", () => {
    const plan = planFor(foreign(), {
      ...noWishes,
      mail: [mailWish("sub.example.org"), mailWish("example.com"), mailWish("notexample.org")]
    })
    expect(plan.steps.map(({ name, type }) => `${type} ${name}`)).toEqual([
      "TXT mail._domainkey.sub",
      "TXT sub",
      "TXT _dmarc.sub",
      "MX sub",
      "CNAME autoconfig.sub"
    ])
  })

  it("merges into a foreign SPF text, and removes our terms when mail is removed", () => {
    const others = set("TXT", "@", "site-verification=1", "v=spf1 include:_spf.elsewhere.example ~all")
    const first = planFor(foreign(others), { ...noWishes, mail: [mailWish()] })
    expect(first.steps.find(({ name, type }) => type === "TXT" && name === "@")).toMatchObject({
      after: ["v=spf1 ip4:192.0.2.1 include:_spf.elsewhere.example ~all", "site-verification=1"],
      ttl: 300,
      reason: "Required by mail; merged into the existing SPF text"
    })
    expect(first.warnings).toEqual([])
    const back = applied(applied(foreign(others), first), planFor(applied(foreign(others), first), noWishes))
    expect(back.owned).toEqual([])
    expect(back.zone.map(({ contents, name, ttl, type }) => [type, name, ttl, contents.toSorted()])).toEqual([
      ["TXT", "@", 300, [...others.contents].toSorted()]
    ])
  })

  it("warns about two SPF texts or an invalid one, and leaves them unchanged", () => {
    for (const [texts, code] of [
      [["v=spf1 a -all", "v=spf1 mx -all"], "spf_twice"],
      [["v=spf1 ipv4:1.2.3.4 -all"], "spf_broken"]
    ] as const) {
      const plan = planFor(foreign(set("TXT", "@", ...texts)), { ...noWishes, mail: [mailWish()] })
      expect(shown(plan).filter((step) => step.startsWith("TXT @"))).toEqual([])
      expect(codes(plan)).toEqual([`${code} TXT @`])
    }
  })

  it("warns about more than ten DNS queries of an SPF text", () => {
    const text = `v=spf1 ${Array.from({ length: 11 }, (_, at) => `include:s${at}.example`).join(" ")} -all`
    expect(codes(planFor(foreign(set("TXT", "@", text)), { ...noWishes, mail: [mailWish()] }))).toEqual([
      "spf_lookups TXT @"
    ])
  })

  it("warns about replaced foreign records, and about nothing else", () => {
    const plan = planFor(
      foreign(
        set("MX", "@", "10 mx.elsewhere.example"),
        set("A", "@", "203.0.113.1"),
        set("AAAA", "@", "2001:db8::2"),
        set("CNAME", "www", "example.org"),
        set("TXT", "_dmarc", "v=DMARC1; p=none", "kept"),
        set("TXT", "mail._domainkey", "v=DKIM1; p=OTHER"),
        set("TXT", "@", "site-verification=1"),
        set("NS", "lab", "ns.elsewhere.example")
      ),
      { ...noWishes, platform, mail: [mailWish()] }
    )
    expect(codes(plan).toSorted()).toEqual([
      "foreign_cname CNAME www",
      "foreign_dkim TXT mail._domainkey",
      "foreign_dmarc TXT _dmarc",
      "foreign_mx MX @",
      "foreign_replaced A @",
      "foreign_replaced AAAA @"
    ])
    expect(plan.warnings.every(({ foreign }) => foreign)).toBe(true)
    // Room is made right before it is taken.
    const steps = shown(plan)
    expect(steps.indexOf("CNAME www: example.org -> none") + 1).toBe(steps.indexOf("A www: none -> 192.0.2.1"))
    expect(steps).toContain(
      "TXT _dmarc: v=DMARC1; p=none, kept -> v=DMARC1; p=quarantine; rua=mailto:postmaster@example.org, kept"
    )
    expect(steps.some((step) => step.includes("lab"))).toBe(false)
  })

  it("writes no CNAME beside other records or at the apex", () => {
    const blocked = planFor(foreign(set("A", "autoconfig", "203.0.113.1")), { ...noWishes, mail: [mailWish()] })
    expect(codes(blocked)).toEqual(["cname_blocked CNAME autoconfig"])
    expect(blocked.steps.some(({ type }) => type === "CNAME")).toBe(false)
    const { sets, warnings } = desiredSetsOf({
      ...noWishes,
      platform,
      records: [
        { type: "CNAME", name: "@", content: "x.example", ttl: 60 },
        { type: "CNAME", name: "www", content: "x.example", ttl: 60 }
      ]
    })
    expect(sets.some(({ type }) => type === "CNAME")).toBe(false)
    expect(warnings.map(({ code, foreign }) => [code, foreign])).toEqual([
      ["left_out", false],
      ["left_out", false]
    ])
  })

  it("writes a CNAME when our own records are removed for it", () => {
    const user = (type: string, content: string) => ({
      ...noWishes,
      records: [{ type, name: "shop", content, ttl: 60 }]
    })
    const before = applied(foreign(), planFor(foreign(), user("A", "203.0.113.1")))
    expect(shown(planFor(before, user("CNAME", "shop.example")))).toEqual([
      "A shop: 203.0.113.1 -> none",
      "CNAME shop: none -> shop.example"
    ])
  })

  it("does not own values that existed before", () => {
    const there = foreign(
      set("A", "@", "192.0.2.1"),
      set("AAAA", "@", "2001:DB8:0::1"),
      set("TXT", "mail._domainkey", "v=DKIM1;k=rsa ; p=AAAA")
    )
    const plan = planFor(there, { ...noWishes, platform, mail: [mailWish()] })
    expect(plan.steps.map(setKey)).not.toContain("A @")
    expect(plan.steps.map(setKey)).not.toContain("AAAA @")
    expect(plan.steps.map(setKey)).not.toContain("TXT mail._domainkey")
    const gone = planFor(applied(there, plan), noWishes)
    expect(gone.steps.map(setKey)).not.toContain("A @")
  })

  it("keeps foreign replacements of our records, and drops our ownership", () => {
    const mine = applied(foreign(), planFor(foreign(), { ...noWishes, platform }))
    const changed: Place = {
      ...mine,
      zone: mine.zone.map((one) => (setKey(one) === "A @" ? { ...one, contents: ["203.0.113.9"] } : one))
    }
    expect(codes(planFor(changed, { ...noWishes, platform }))).toEqual(["foreign_replaced A @"])
    const gone = planFor(changed, noWishes)
    expect(shown(gone)).toEqual(["AAAA @: 2001:db8::1 -> none", "A www: 192.0.2.1 -> none"])
    expect(gone.lost).toMatchObject([{ type: "A", name: "@" }])
  })

  it("adds records beside foreign ones with a warning, and later removes only ours", () => {
    const user = (...contents: ReadonlyArray<string>) => ({
      ...noWishes,
      records: contents.map((content) => ({ type: "A", name: "shop", content, ttl: 300 }))
    })
    const there = foreign(set("A", "shop", "203.0.113.1"))
    const plan = planFor(there, user("203.0.113.1", "203.0.113.2"))
    expect(codes(plan)).toEqual(["foreign_extended A shop"])
    expect(plan.steps[0]).toMatchObject({ after: ["203.0.113.1", "203.0.113.2"], owns: ["203.0.113.2"] })
    const with2 = applied(there, plan)
    expect(applied(with2, planFor(with2, noWishes)).zone).toEqual(there.zone)
  })

  it("uses TTLs of at least a minute, and changes the TTL only of our sets", () => {
    const wish = (ttl: number) => ({ ...noWishes, records: [{ type: "A", name: "shop", content: "203.0.113.1", ttl }] })
    expect(planFor(foreign(), wish(1)).steps[0]!.ttl).toBe(60)
    const mine = applied(foreign(), planFor(foreign(), wish(60)))
    expect(planFor(mine, wish(120)).steps).toMatchObject([
      { ttl: 120, reason: "Required by the customer's records; the time to live differs" }
    ])
    expect(planFor(foreign(set("A", "shop", "203.0.113.1")), wish(120)).steps).toEqual([])
    // A provider that makes of it what it likes is not asked again and again.
    expect(planFor({ ...mine, zone: mine.zone.map((one) => ({ ...one, ttl: 600 })) }, wish(60)).steps).toEqual([])
  })

  it("stops at more than 30 % of a zone of ten sets or more", () => {
    const zone = (count: number) =>
      foreign(...Array.from({ length: count }, (_, at) => set("A", `h${at}`, "203.0.113.1")))
    const stopped = (count: number, ipv6?: string) =>
      planFor(zone(count), { ...noWishes, platform: { ipv4: "192.0.2.1", ipv6 }, mail: [] }).stopped
    expect(stopped(9, "2001:db8::1")).toBe(false)
    expect(stopped(10, "2001:db8::1")).toBe(false)
    expect(planFor(zone(10), { ...noWishes, platform, mail: [mailWish()] })).toMatchObject({
      stopped: true,
      share: 0.8
    })
    expect(planFor(zone(9), { ...noWishes, platform, mail: [mailWish()] }).stopped).toBe(false)
  })

  const history = fc.record({ zone: zones, first: wishes, edits, second: wishes })
  const runs = { numRuns: process.env["SIGNALBOX_TEST_LONG"] === "1" ? 10_000 : 300 }

  it("leaves no change to make after it was applied, for any foreign zone", () =>
    fc.assert(
      fc.property(history, ({ edits, first, second, zone }) => {
        const place = applied({ zone, owned: [] }, planFor({ zone, owned: [] }, first))
        expect(planFor(place, first).steps).toEqual([])
        const changed = { ...place, zone: edited(place.zone, edits) }
        const plan = planFor(changed, second)
        expect(planFor(changed, second)).toEqual(plan)
        const done = applied(changed, plan)
        expect(planFor(done, second).steps).toEqual([])
        expect(planFor(applied(done, planFor(done, second)), second).steps).toEqual([])
      }),
      runs
    ))

  it("removes our obsolete records, and foreign ones only with a warning", () =>
    fc.assert(
      fc.property(history, ({ edits, first, second, zone }) => {
        const place = applied({ zone, owned: [] }, planFor({ zone, owned: [] }, first))
        const changed = { ...place, zone: edited(place.zone, edits) }
        const plan = planFor(changed, second)
        const done = applied(changed, plan)
        const { sets: wanted } = desiredSetsOf(second)
        expect(new Set(plan.steps.map(setKey)).size).toBe(plan.steps.length)
        for (const step of plan.steps)
          expect(step.before ?? [], setKey(step)).toEqual(setAt(changed.zone, step)?.contents ?? [])
        for (const mine of changed.owned) {
          const unwanted = without(
            mine.type,
            mine.contents,
            wanted.find((one) => setKey(one) === setKey(mine))?.contents ?? []
          ).filter((text) => !Spf.isSpf(text))
          expect(common(mine.type, setAt(done.zone, mine)?.contents ?? [], unwanted), setKey(mine)).toEqual([])
          const stuck = plan.warnings.some(
            (one) => ["spf_twice", "spf_broken"].includes(one.code) && one.name === mine.name
          )
          if (!stuck && !wanted.some((one) => setKey(one) === setKey(mine)))
            expect(done.owned.map(setKey)).not.toContain(setKey(mine))
        }
        for (const there of changed.zone) {
          const mine = changed.owned.find((one) => setKey(one) === setKey(there))?.contents ?? []
          const theirs = without(there.type, there.contents, mine).filter((text) => !Spf.isSpf(text))
          const lost = without(there.type, theirs, setAt(done.zone, there)?.contents ?? [])
          if (lost.length > 0)
            expect(
              plan.warnings.some((one) => one.foreign && one.type === there.type && one.name === there.name),
              `${setKey(there)} lost ${lost.join()}`
            ).toBe(true)
          const spf = (contents: ReadonlyArray<string>) => contents.filter(Spf.isSpf).flatMap(Spf.mechanismsOf)
          const gone = without("TXT", spf(without(there.type, there.contents, mine)), [
            ...spf(setAt(done.zone, there)?.contents ?? []),
            ...spf(mine)
          ])
          if (there.type === "TXT") expect(gone, `${setKey(there)} lost SPF terms`).toEqual([])
          if (!plan.steps.some((step) => setKey(step) === setKey(there))) expect(setAt(done.zone, there)).toEqual(there)
        }
      }),
      runs
    ))

  it("fulfils every requirement or warns, and keeps CNAMEs alone after every step", () =>
    fc.assert(
      fc.property(history, ({ edits, first, second, zone }) => {
        const place = applied({ zone, owned: [] }, planFor({ zone, owned: [] }, first))
        const changed = { ...place, zone: edited(place.zone, edits) }
        const plan = planFor(changed, second)
        let now: Place = changed
        for (const step of plan.steps) {
          now = afterStep(now, step)
          for (const alias of now.zone.filter(({ type }) => type === "CNAME"))
            expect(
              now.zone.filter(({ name }) => name === alias.name),
              alias.name
            ).toHaveLength(1)
          const spf = (at: Place) =>
            (setAt(at.zone, { type: "TXT", name: step.name })?.contents ?? []).filter(Spf.isSpf).length
          expect(spf(now)).toBeLessThanOrEqual(Math.max(1, spf(changed)))
        }
        for (const wish of desiredSetsOf(second).sets) {
          const there = setAt(now.zone, wish)?.contents ?? []
          const missing = without(
            wish.type,
            wish.contents.filter((text) => !Spf.isSpf(text)),
            there
          )
          const told = plan.warnings.some((one) => one.code === "cname_blocked" && setKey(one) === setKey(wish))
          if (!told) expect(missing, setKey(wish)).toEqual([])
          if (["A", "AAAA", "MX", "CNAME"].includes(wish.type) && !told)
            expect(sameContents(wish.type, there, wish.contents), setKey(wish)).toBe(true)
          expect(wish.ttl).toBeGreaterThanOrEqual(60)
        }
        expect(plan.steps.every(({ name }) => name !== domain)).toBe(true)
      }),
      runs
    ))
})
