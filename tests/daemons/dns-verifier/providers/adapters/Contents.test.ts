import { describe, expect, it } from "vitest"
import { asciiName, canonical, fromZoneFile, toZoneFile } from "#daemons/dns-verifier/providers/adapters/Contents.ts"
import { contentOf, entryOf } from "#daemons/dns-verifier/providers/adapters/IonosContents.ts"

describe("contents as providers write them", () => {
  it.each([
    ["MX", "10 Mail.Example.ORG.", "10 mail.example.org"],
    ["MX", "10 mail", "10 mail.a.test"],
    ["MX", "10 @", "10 a.test"],
    ["MX", "0 .", "0 ."],
    ["CNAME", "www", "www.a.test"],
    ["SRV", "0 1 993 mail.example.org.", "0 1 993 mail.example.org"],
    ["NS", "ns1.example.org.", "ns1.example.org"],
    ["AAAA", "2001:DB8:0:0::1", "2001:db8::1"],
    ["TXT", '"a" "b"', "ab"],
    ["TXT", '"say \\"hi\\""', 'say \\"hi\\"'],
    ["CAA", '0 ISSUE "ca.test"', '0 issue "ca.test"'],
    // What we would not take from a user is there all the same.
    ["MX", "10 under_score.example.org.", "10 under_score.example.org"],
    ["TXT", '""', '""'],
    ["TLSA", "3 1 1 ABCD", "3 1 1 ABCD"]
  ])("reads %s %s", (type, written, content) => expect(fromZoneFile(type, written, "a.test")).toBe(content))

  it.each([
    ["MX", "10 mail.example.org", "10 mail.example.org."],
    ["MX", "0 .", "0 ."],
    ["SRV", "0 1 993 mail.example.org", "0 1 993 mail.example.org."],
    ["CNAME", "www.a.test", "www.a.test."],
    ["A", "192.0.2.1", "192.0.2.1"],
    ["TXT", `${"x".repeat(255)}yz`, `"${"x".repeat(255)}" "yz"`]
  ])("writes %s %s, and reads it the same", (type, content, written) => {
    expect(toZoneFile(type, content)).toBe(written)
    expect(fromZoneFile(type, written, "a.test")).toBe(content)
  })

  it.each([
    ["MX", "10 mail.example.org", { content: "mail.example.org", prio: 10 }],
    ["SRV", "5 1 993 mail.example.org", { content: "1 993 mail.example.org", prio: 5 }],
    ["TXT", "v=spf1 mx -all", { content: "v=spf1 mx -all" }],
    ["TXT", "x".repeat(256), { content: `"${"x".repeat(255)}" "x"` }],
    ["TXT", 'say \\"hi\\"', { content: '"say \\"hi\\""' }],
    ["TXT", "grüße", { content: '"gr\\195\\188\\195\\159e"' }],
    ["CNAME", "www.a.test", { content: "www.a.test" }]
  ])("writes %s %s for IONOS, and reads it the same, also quoted", (type, content, entry) => {
    expect(entryOf(type, content)).toEqual(entry)
    expect(contentOf({ type, ...entry })).toBe(content)
    if (type === "TXT" && !entry.content.startsWith('"'))
      expect(contentOf({ type, content: `"${entry.content}"` })).toBe(content)
  })

  it("has one canonical form of names", () => {
    expect(asciiName("München.Test.")).toBe("xn--mnchen-3ya.test")
    expect(asciiName("_DMARC.a.test")).toBe("_dmarc.a.test")
    expect(asciiName("*.a.test")).toBe("*.a.test")
    expect(canonical("A", " 192.0.2.1 ")).toBe("192.0.2.1")
  })
})
