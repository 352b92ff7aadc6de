import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalContent, placeProblem, recordTypes } from "#protocols/dns/RecordContent.ts"

const canonical = (type: string, content: string) => Result.getOrUndefined(canonicalContent(type, content))
const problem = (type: string, content: string) => {
  const found = canonicalContent(type, content)
  return Result.isFailure(found) ? found.failure : `taken: ${found.success}`
}

describe("one form", () => {
  it.each([
    ["A", " 192.0.2.1 ", "192.0.2.1"],
    ["AAAA", "2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["CNAME", "Mail.Example.ORG.", "mail.example.org"],
    ["CNAME", "bücher.example", "xn--bcher-kva.example"],
    ["MX", "010  Mail.example.org.", "10 mail.example.org"],
    ["MX", "0 .", "0 ."],
    ["SRV", "0 1 0993 mail.example.org.", "0 1 993 mail.example.org"],
    ["SRV", "0 0 0 .", "0 0 0 ."],
    ["CAA", "0 ISSUE letsencrypt.org", '0 issue "letsencrypt.org"'],
    ["CAA", '128 issue "ca.example; validationmethods=dns-01"', '128 issue "ca.example; validationmethods=dns-01"'],
    ["TXT", "v=spf1 -all", "v=spf1 -all"],
    ["TXT", '"v=DKIM1; p=AB" "CD"', "v=DKIM1; p=ABCD"],
    ["TXT", "v=DMARC1\\; p=none", "v=DMARC1; p=none"],
    ["TXT", 'say "hi"', 'say \\"hi\\"'],
    ["TXT", '"end "', "end\\032"],
    ["TXT", "\\195\\188", "ü"],
    ["TXT", "\\255", "\\255"]
  ])("%s %j", (type, content, expected) => {
    expect(canonical(type, content)).toBe(expected)
    expect(canonical(type, expected)).toBe(expected)
  })
})

describe("refused, and told why", () => {
  it.each([
    ["A", "192.0.2", "IPv4"],
    ["A", "192.0.2.01", "IPv4"],
    ["A", "0x7f.0.0.1", "IPv4"],
    ["A", "2001:db8::1", "IPv4"],
    ["A", "192.0.2.1 192.0.2.2", "IPv4"],
    ["AAAA", "192.0.2.1", "IPv6"],
    ["AAAA", "fe80::1%eth0", "IPv6"],
    ["CNAME", "192.0.2.1", "not an address"],
    ["CNAME", "a b.example", "no label"],
    ["CNAME", "example.org\n@ IN A 192.0.2.66", "U+000A"],
    ["MX", "mail.example.org", "priority"],
    ["MX", "70000 mail.example.org", "65535"],
    ["MX", "10 192.0.2.1", "not an address"],
    ["MX", "10 _x.example.org", "underscores"],
    ["MX", "-1 mail.example.org", "priority"],
    ["SRV", "0 1 mail.example.org", "port"],
    ["SRV", "0 1 70000 mail.example.org", "65535"],
    ["CAA", '256 issue "x"', "255"],
    ["CAA", '0 issue "a" "b"', "tag"],
    ["CAA", "0 is-sue x", "tag"],
    ["TXT", "", "empty"],
    ["TXT", '""', "empty"],
    ["TXT", "a\u0000b", "U+0000"],
    ["TXT", "a\nb", "U+000A"],
    ["TXT", "a\u202eb", "U+202E"],
    ["TXT", '"a', "not closed"],
    ["TXT", '"a" b', "outside"],
    ["TXT", "a\\", "begins no escape"],
    ["TXT", "\\999", "begins no escape"],
    ["TXT", "x".repeat(4097), "4097 octets"],
    ["TXT", "x".repeat(10_001), "at most 10000"],
    ["NS", "ns.example.org", "registered"],
    ["SOA", "x", "SOA"],
    ["SPF", "v=spf1", "TXT"],
    ["ANY", "x", "record type"],
    ["constructor", "x", "record type"]
  ])("%s %j: %s", (type, content, why) => {
    expect(problem(type, content)).toContain(why)
  })

  it("a CNAME at the domain itself", () => {
    expect(placeProblem("CNAME", "@")).toContain("A and AAAA")
    expect(placeProblem("CNAME", "*")).toBeUndefined()
    expect(placeProblem("MX", "_dmarc")).toContain("underscores")
    expect(placeProblem("TXT", "@")).toBeUndefined()
  })
})

it("never throws, and what is taken is its own form on one line", () => {
  const hostile = fc.string({ unit: fc.constantFrom(...'019 .:ax-_"\\;\n\u0000\u202eü@*(') })
  fc.assert(
    fc.property(
      fc.constantFrom(...recordTypes),
      fc.oneof(
        hostile,
        fc.string({ unit: "binary" }),
        fc.ipV6(),
        fc.domain().map((host) => `10 ${host}`)
      ),
      (type, content) => {
        const taken = canonical(type, content)
        if (taken === undefined) return
        expect(taken).not.toMatch(/\p{C}/u)
        expect(canonical(type, taken)).toBe(taken)
      }
    ),
    { numRuns: 600 }
  )
})
