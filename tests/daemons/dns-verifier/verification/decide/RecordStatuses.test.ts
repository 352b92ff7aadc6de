import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { kindOf, isEquivalentTxt } from "#daemons/dns-verifier/verification/decide/TxtEquivalence.ts"
import { contentOf, statusesOf } from "#daemons/dns-verifier/verification/decide/RecordStatuses.ts"
import { asked, seen, type Word } from "./Seen.ts"

const status = (type: string, contents: ReadonlyArray<string>, ...authorities: ReadonlyArray<Word>) =>
  statusesOf(
    contents.map((content) => ({ type, name: "x", content })),
    seen([asked(type, "x", authorities)])
  )

const key = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A".repeat(12)

describe("RecordStatuses", () => {
  it("compares whole sets", () => {
    expect(status("A", ["192.0.2.1"], ["192.0.2.1"])).toEqual(["ok"])
    expect(status("A", ["192.0.2.1"], ["192.0.2.1", "192.0.2.2"])).toEqual(["wrong"])
    expect(status("A", ["192.0.2.1", "192.0.2.2"], ["192.0.2.2", "192.0.2.1"])).toEqual(["ok", "ok"])
    expect(status("A", ["192.0.2.1", "192.0.2.2"], ["192.0.2.1"])).toEqual(["ok", "missing"])
    expect(status("MX", ["10 mx.example.net"], ["10 MX.example.net."])).toEqual(["ok"])
    expect(status("MX", ["10 mx.example.net"], ["10 mx.example.net", "20 old.example.com"])).toEqual(["wrong"])
    expect(status("MX", ["10 mx.example.net"], ["20 mx.example.net"])).toEqual(["wrong"])
    expect(status("AAAA", ["2001:db8::1"], ["2001:0db8:0:0::1"])).toEqual(["ok"])
    expect(status("CNAME", ["mx.example.net"], "nodata")).toEqual(["missing"])
    expect(status("CNAME", ["mx.example.net"], "nxdomain")).toEqual(["missing"])
    expect(status("CNAME", ["mx.example.net"], "timeout")).toEqual(["unknown"])
    expect(status("CNAME", ["mx.example.net"], "cname_loop", "cname_loop")).toEqual(["wrong"])
    expect(statusesOf([{ type: "A", name: "other", content: "192.0.2.1" }], seen([]))).toEqual(["unknown"])
  })

  it("takes other required records of the same set into account", () => {
    const mine = [{ type: "MX", name: "@", content: "10 mx.example.net" }]
    const observation = seen([asked("MX", "@", [["10 mx.example.net", "20 spare.example.net"]])])
    expect(statusesOf(mine, observation, [{ type: "MX", name: "@", content: "20 spare.example.net" }])).toEqual(["ok"])
    expect(statusesOf(mine, observation)).toEqual(["wrong"])
    expect(contentOf({ type: "MX", name: "@", content: "mx.example.net", priority: 10 })).toBe("10 mx.example.net")
  })

  it("needs the record on all servers", () => {
    expect(status("A", ["192.0.2.1"], ["192.0.2.1"], "nodata")).toEqual(["missing"])
    expect(status("A", ["192.0.2.1"], ["192.0.2.1"], ["192.0.2.2"])).toEqual(["wrong"])
    expect(status("A", ["192.0.2.1"], ["192.0.2.1"], "timeout")).toEqual(["ok"])
  })

  it("allows foreign texts beside ours, but only one SPF and one DMARC text", () => {
    const spf = "v=spf1 ip4:192.0.2.10 -all"
    expect(status("TXT", ["hello"], ["google-site-verification=x", "hello"])).toEqual(["ok"])
    expect(status("TXT", ["hello"], ["Hello"])).toEqual(["missing"])
    expect(status("TXT", [spf], ["google-site-verification=x", spf])).toEqual(["ok"])
    expect(status("TXT", [spf], ["google-site-verification=x"])).toEqual(["missing"])
    expect(status("TXT", [spf], [spf, "v=spf1 -all"])).toEqual(["wrong"])
    expect(status("TXT", [spf], ["v=spf1 a -all"])).toEqual(["wrong"])
    expect(
      status(
        "TXT",
        ["v=DMARC1; p=quarantine; rua=mailto:a@example.org"],
        ["v=DMARC1;p=quarantine;  rua=mailto:a@example.org;"]
      )
    ).toEqual(["ok"])
    expect(status("TXT", ["v=DMARC1; p=quarantine"], ["v=DMARC1; p=none"])).toEqual(["wrong"])
    expect(status("TXT", ["v=DMARC1; p=quarantine"], ["v=DMARC1; p=quarantine", "v=DMARC1; p=reject"])).toEqual([
      "wrong"
    ])
  })
})

describe("Meaning", () => {
  const wanted = "v=spf1 ip4:192.0.2.10 ip6:2001:db8::10 -all"
  const cases: ReadonlyArray<readonly [string, boolean]> = [
    [wanted, true],
    ["v=spf1  include:example.net   ip6:2001:DB8:0::10 +ip4:192.0.2.10 ~all", true],
    ["V=SPF1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -ALL", true],
    ["v=spf1 ip4:192.0.2.10 ip6:2001:db8::10 redirect=_spf.example.net", true],
    ["v=spf1 ip4:192.0.2.10 -all", false],
    ["v=spf1 ip4:192.0.2.10 -all ip6:2001:db8::10", false],
    ["v=spf1 -ip4:192.0.2.10 ip6:2001:db8::10 -all", false],
    ["v=spf1 ip4:192.0.2.10 ip6:2001:db8::10 +all", false],
    ["v=spf1 ip4:192.0.2.10 ip6:2001:db8::10 ?all", false],
    ["v=spf1 ip4:192.0.2.10 ip6:2001:db8::10", false],
    ["v=spf1 ip4:192.0.2.10/99 ip6:2001:db8::10 -all", false],
    [
      `v=spf1 ip4:192.0.2.10 ip6:2001:db8::10 ${Array.from({ length: 10 }, (_, at) => `include:${at}.example.net`).join(" ")} -all`,
      true
    ],
    [
      `v=spf1 ip4:192.0.2.10 ip6:2001:db8::10 ${Array.from({ length: 11 }, (_, at) => `include:${at}.example.net`).join(" ")} -all`,
      false
    ],
    ["v=spf10 ip4:192.0.2.10 ip6:2001:db8::10 -all", false]
  ]
  for (const [text, same] of cases) it(text.slice(0, 80), () => expect(isEquivalentTxt(wanted, text)).toBe(same))

  it("compares keys regardless of blanks, order and string boundaries", () => {
    const dkim = `v=DKIM1; k=rsa; p=${key}`
    expect(isEquivalentTxt(dkim, `k=rsa ; v=DKIM1;p= ${key.slice(0, 100)} ${key.slice(100)} ; t=s`)).toBe(true)
    expect(isEquivalentTxt(dkim, `v=DKIM1; p=${key}`)).toBe(true)
    expect(isEquivalentTxt(dkim, `p=${key}`)).toBe(true)
    expect(isEquivalentTxt(dkim, `v=DKIM1; k=ed25519; p=${key}`)).toBe(false)
    expect(isEquivalentTxt(dkim, `v=DKIM1; k=rsa; p=${key.toLowerCase()}`)).toBe(false)
    expect(isEquivalentTxt(dkim, "v=DKIM1; k=rsa; p=")).toBe(false)
    expect(isEquivalentTxt("v=DKIM1; p=", "v=DKIM1; p=")).toBe(false)
  })

  it("ignores the order of tags and terms, and accepts any text", () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(["v=DKIM1", "k=rsa", `p=${key}`, "t=s", "n=note"], { minLength: 5 }),
        fc.constantFrom("; ", ";", " ;\t"),
        (tags, between) => {
          expect(isEquivalentTxt(`v=DKIM1; k=rsa; p=${key}`, tags.join(between))).toBe(true)
        }
      )
    )
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        kindOf(a)
        isEquivalentTxt(`v=spf1 ${a}`, `v=spf1 ${b}`)
        isEquivalentTxt(`v=DKIM1; ${a}`, b)
        expect(isEquivalentTxt(a, b)).toBeTypeOf("boolean")
      })
    )
  })
})
