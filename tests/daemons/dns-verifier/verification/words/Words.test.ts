import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { type Finding, FindingCode, severityOf } from "#daemons/dns-verifier/verification/decide/Finding.ts"
import { sentencesOf, viewOf } from "#daemons/dns-verifier/verification/words/Words.ts"

const args = {
  addresses: ["192.0.2.10"],
  found: ["203.0.113.9"],
  wanted: ["192.0.2.10"],
  here: ["ns1.example.net"],
  elsewhere: ["ns2.example.net"],
  servers: ["ns1.example.net", "ns2.example.net"],
  chain: ["a.example.org", "b.example.org"],
  labels: ["раypal"]
}
const of = (code: FindingCode, more: Finding["args"] = args): Finding => ({
  code,
  record: { type: "A", name: "@" },
  args: more
})

describe("Words", () => {
  for (const code of FindingCode.literals) {
    it(`${code}: the problem and the remedy, in both languages`, () => {
      for (const more of [args, { ...args, working: ["some"] }, {}]) {
        const finding = of(code, more)
        const [de, en] = [sentencesOf(finding, "example.org", "de"), sentencesOf(finding, "example.org", "en")]
        for (const { says, todo } of [de, en]) {
          expect(says).toMatch(/^\S.{15,}\S$/)
          expect(`${says} ${todo}`).not.toMatch(/undefined|\[object|\{|\}| {2}/)
          if (code !== "points_here") expect(todo).toMatch(/^\S.{10,}/)
        }
        expect(de.says).not.toBe(en.says)
        expect(en.says).not.toMatch(/[äöüß]/)
        // Words of the trade that no customer knows.
        expect(`${de.says} ${en.says}`).not.toMatch(/NXDOMAIN|SERVFAIL|NODATA|lame|RRSIG|bogus|timeout|authoritative/i)
      }
    })
  }

  it("names the record and a limited amount of evidence", () => {
    const finding: Finding = {
      code: "www_elsewhere",
      record: { type: "A", name: "www" },
      args: { wanted: ["192.0.2.10"], found: Array.from({ length: 9 }, (_, at) => `203.0.113.${at}`) }
    }
    expect(viewOf(finding, "example.org", "en")).toEqual({
      code: "www_elsewhere",
      severity: "warning",
      record: { type: "A", name: "www" },
      text: "www.example.org leads to another server: 203.0.113.0, 203.0.113.1, 203.0.113.2, 203.0.113.3, 203.0.113.4, 203.0.113.5 and 3 more. Replace it with the A record 192.0.2.10 at your DNS provider."
    })
    expect(sentencesOf(of("points_elsewhere", { found: ["a", "b"] }), "example.org", "de").says).toBe(
      "example.org führt zu einem anderen Server: a und b."
    )
  })

  it("is less alarming when one server of several fails", () => {
    for (const code of [
      "lame_delegation",
      "name_servers_silent",
      "server_failure",
      "private_name_servers",
      "name_servers_unknown"
    ] as const) {
      for (const language of ["de", "en"] as const) {
        expect(sentencesOf(of(code), "example.org", language).says).not.toBe(
          sentencesOf(of(code, { ...args, working: ["some"] }), "example.org", language).says
        )
      }
      expect([severityOf(of(code)), severityOf(of(code, { ...args, working: ["some"] }))]).toEqual(["error", "warning"])
    }
  })

  it("stays readable for any foreign content", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FindingCode.literals),
        fc.dictionary(
          fc.constantFrom(...Object.keys(args)),
          fc.array(fc.string({ maxLength: 500 }), { maxLength: 30 })
        ),
        (code, more) => {
          for (const language of ["de", "en"] as const)
            expect(viewOf(of(code, more), "example.org", language).text.length).toBeLessThan(2_500)
        }
      )
    )
  })
})
