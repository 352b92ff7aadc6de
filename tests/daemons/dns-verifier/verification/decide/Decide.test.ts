import { describe, expect, it } from "@effect/vitest"
import type { DnsStatus } from "#core/contracts/Domains.ts"
import { decide, type Decision, settledOf } from "#daemons/dns-verifier/verification/decide/Decide.ts"
import { severityOf } from "#daemons/dns-verifier/verification/decide/Finding.ts"
import type { Observation } from "#daemons/dns-verifier/verification/observe/Observation.ts"
import { asked, good, hints, ours, rules, seen, throughout, wanted, withApex, type Word } from "./Seen.ts"
import { absent, failed, look, manual, rounds, verified } from "./States.ts"

const codes = ({ findings }: Decision) => findings.map(({ code }) => code)
const both = (word: Word): ReadonlyArray<Word> => [word, word]

/**
 * What was seen; what an unverified domain becomes, a verified one after three looks, and its records; what is told.
 */
const table: ReadonlyArray<
  readonly [string, Observation, DnsStatus, DnsStatus, ReadonlyArray<string>, ReadonlyArray<string>]
> = [
  ["all as wanted", good, "verified", "verified", ["ok", "ok", "ok"], ["points_here"]],
  ["another address", withApex(both(["203.0.113.9"])), "manual", "error", ["wrong", "ok", "ok"], ["points_elsewhere"]],
  [
    "ours and another",
    withApex(both([ours, "203.0.113.9"])),
    "verified",
    "verified",
    ["wrong", "ok", "ok"],
    ["points_here", "extra_addresses"]
  ],
  ["no address", withApex(both("nodata")), "manual", "error", ["missing", "ok", "ok"], ["no_address"]],
  ["no such name", throughout(both("nxdomain")), "manual", "error", ["missing", "missing", "missing"], ["nxdomain"]],
  ["no delegation", seen([], absent), "manual", "error", ["missing", "missing", "missing"], ["no_delegation"]],
  [
    "servers that disagree",
    withApex([[ours], ["203.0.113.9"]]),
    "pending_verification",
    "verified",
    ["wrong", "ok", "ok"],
    ["authorities_disagree"]
  ],
  [
    "servers with two foreign answers",
    withApex([["203.0.113.8"], ["203.0.113.9"]]),
    "manual",
    "error",
    ["wrong", "ok", "ok"],
    ["points_elsewhere"]
  ],
  [
    "resolvers that remember",
    withApex(both([ours]), [["203.0.113.9"]]),
    "pending_verification",
    "verified",
    ["ok", "ok", "ok"],
    ["not_visible_yet"]
  ],
  [
    "resolvers that do not answer",
    withApex(both([ours]), ["timeout", "servfail"]),
    "verified",
    "verified",
    ["ok", "ok", "ok"],
    ["points_here"]
  ],
  [
    "resolvers alone, two of one mind",
    throughout(both("timeout"), [[ours], [ours]]),
    "verified",
    "verified",
    ["ok", "ok", "wrong"],
    ["points_here", "name_servers_silent", "ipv6_elsewhere"]
  ],
  [
    "one resolver of two",
    throughout(both("timeout"), [["203.0.113.9"], "timeout"]),
    "manual",
    "verified",
    ["unknown", "unknown", "unknown"],
    ["name_servers_silent"]
  ],
  [
    "one lame server",
    throughout([[ours], "lame"]),
    "verified",
    "verified",
    ["ok", "ok", "wrong"],
    ["points_here", "lame_delegation", "ipv6_elsewhere"]
  ],
  [
    "lame servers",
    throughout(both("lame"), ["servfail"]),
    "manual",
    "verified",
    ["unknown", "unknown", "unknown"],
    ["lame_delegation"]
  ],
  [
    "silent servers",
    throughout(both("timeout"), ["servfail"]),
    "manual",
    "verified",
    ["unknown", "unknown", "unknown"],
    ["name_servers_silent"]
  ],
  [
    "unreachable servers",
    throughout(both("unreachable"), ["servfail"]),
    "manual",
    "verified",
    ["unknown", "unknown", "unknown"],
    ["name_servers_silent"]
  ],
  [
    "servers that fail",
    throughout(both("servfail"), ["servfail"]),
    "manual",
    "verified",
    ["unknown", "unknown", "unknown"],
    ["server_failure"]
  ],
  [
    "one question that fails",
    withApex(both("servfail")),
    "manual",
    "verified",
    ["unknown", "ok", "ok"],
    ["server_failure"]
  ],
  [
    "servers that refuse",
    throughout(both("refused")),
    "manual",
    "verified",
    ["unknown", "unknown", "unknown"],
    ["lame_delegation"]
  ],
  [
    "garbage",
    throughout(both("malformed")),
    "manual",
    "verified",
    ["unknown", "unknown", "unknown"],
    ["server_failure"]
  ],
  [
    "private servers",
    throughout(both("forbidden"), ["servfail"]),
    "manual",
    "verified",
    ["unknown", "unknown", "unknown"],
    ["private_name_servers"]
  ],
  ["a loop", withApex(both("cname_loop"), ["servfail"]), "manual", "verified", ["wrong", "ok", "ok"], ["cname_loop"]],
  [
    "a signature that is not valid",
    withApex(both([ours]), ["servfail"], { dnssec: "bogus" }),
    "manual",
    "verified",
    ["ok", "ok", "ok"],
    ["dnssec_bogus"]
  ],
  [
    "another address, and a bad signature",
    withApex(both(["203.0.113.9"]), ["servfail"], { dnssec: "bogus" }),
    "manual",
    "verified",
    ["wrong", "ok", "ok"],
    ["dnssec_bogus"]
  ],
  [
    "our own network away",
    throughout(both("timeout"), ["timeout", "unreachable"]),
    "manual",
    "verified",
    ["unknown", "unknown", "unknown"],
    ["resolvers_silent", "name_servers_silent"]
  ],
  [
    "nothing but a parent that does not answer",
    throughout([], ["servfail"], { delegation: { outcome: "unknown", zone: null, servers: [] } }),
    "manual",
    "verified",
    ["unknown", "unknown", "unknown"],
    ["server_failure"]
  ],
  [
    "www missing",
    seen([...good.asked.slice(0, 2), asked("A", "www", both("nxdomain"))]),
    "verified",
    "verified",
    ["ok", "missing", "ok"],
    ["points_here", "www_missing"]
  ],
  [
    "www elsewhere",
    seen([...good.asked.slice(0, 2), asked("A", "www", both(["203.0.113.9"]))]),
    "verified",
    "verified",
    ["ok", "wrong", "ok"],
    ["points_here", "www_elsewhere"]
  ],
  [
    "no IPv6",
    seen([good.asked[0]!, asked("AAAA", "@", both("nodata")), good.asked[2]!]),
    "verified",
    "verified",
    ["ok", "ok", "missing"],
    ["points_here", "ipv6_missing"]
  ]
]

describe("Decide", () => {
  for (const [what, observation, unverified, afterThree, records, told] of table) {
    it(what, () => {
      const first = look(manual, observation)
      expect([first.state.dns_status, first.records, codes(first)]).toEqual([unverified, records, told])
      const three = rounds(verified, observation, 3)
      expect(three.at(-1)!.state.dns_status).toBe(afterThree)
      expect(three[0]!.state.dns_status).toBe("verified")
      expect(codes(three.at(-1)!)).toEqual(told)
    })
  }

  it("refuses further addresses where the operator is strict", () => {
    const strict = { ...rules, isStrict: true }
    const first = decide(manual, "manual", withApex(both([ours, "203.0.113.9"])), wanted, strict, hints)
    expect([first.state.dns_status, codes(first)]).toEqual(["manual", ["extra_addresses"]])
  })

  it("takes the word of the only resolver, but of one among several not", () => {
    const bySome = (...resolvers: ReadonlyArray<Word>) => look(manual, throughout(both("timeout"), resolvers))
    expect(bySome([ours]).state.dns_status).toBe("verified")
    expect(bySome([ours], "timeout").state.dns_status).toBe("manual")
    expect(bySome([ours], [ours]).state.dns_status).toBe("verified")
  })

  it("needs several failed checks to set a verified domain to error, and one good check to recover", () => {
    const elsewhere = withApex(both(["203.0.113.9"]))
    expect(
      rounds(verified, elsewhere, 5).map(({ state }) => [state.dns_status, state.mismatches, state.check_every])
    ).toEqual([
      ["verified", 1, 5],
      ["verified", 2, 5],
      ["error", 3, 5],
      ["error", 3, 5],
      ["error", 3, 5]
    ])
    const [one, two] = rounds(verified, elsewhere, 2)
    expect(look(two!.state, good).state).toMatchObject({ dns_status: "verified", mismatches: 0 })
    // What is not clear neither counts nor lets off.
    expect(look(two!.state, throughout(both("timeout"), ["servfail"])).state).toMatchObject({
      dns_status: "verified",
      mismatches: 2
    })
    expect(look(look(one!.state, good).state, elsewhere).state.mismatches).toBe(1)
    expect(look(failed, good).state).toEqual({
      dns_status: "verified",
      status: "active",
      mismatches: 0,
      check_every: 40
    })
    expect(look(failed, withApex([[ours], ["203.0.113.9"]])).state.dns_status).toBe("error")
  })

  it("ends a dead verification with the previous status", () => {
    const silent = throughout(both("timeout"), ["servfail"])
    const pending = { ...manual, dns_status: "pending_verification" } as const
    expect(look(pending, silent, "managed").state.dns_status).toBe("managed")
    expect(look({ ...pending, status: "active", mismatches: 3 }, silent).state.dns_status).toBe("error")
    expect(settledOf(pending, "manual")).toBe("manual")
  })

  it("uses the status that follows from the account", () => {
    expect(look(manual, withApex(both("nodata")), "managed").state.dns_status).toBe("managed")
  })

  it("checks verified domains by their TTL and all others every five minutes", () => {
    const withTtl = (ttl: number) =>
      seen(
        good.asked.map(({ name, type }) =>
          asked(type, name, [type === "A" ? [ours] : wanted.slice(2).map(({ content }) => content)], [], ttl)
        )
      )
    const every = (ttl: number, before = verified) => look(before, withTtl(ttl)).state.check_every
    expect([0, 60, 300, 599, 600, 3600, 86_399, 86_400, 604_800].map((ttl) => every(ttl))).toEqual([
      5, 5, 5, 5, 10, 40, 1280, 1440, 1440
    ])
    // A resolver's counts down.
    const remembered = (ttl: number) =>
      seen(
        good.asked.map(({ name, type }) =>
          asked(type, name, [], [[type === "A" ? ours : "2001:db8::10"], [type === "A" ? ours : "2001:db8::10"]], ttl)
        )
      )
    expect([10, 3600, 86_400].map((ttl) => look(verified, remembered(ttl)).state.check_every)).toEqual([40, 40, 1440])
    expect(look({ ...verified, check_every: 1440 }, throughout(both("timeout"), ["servfail"])).state.check_every).toBe(
      20
    )
  })

  it("reports mixed scripts, several providers, and foreign IPv6 addresses when we have none", () => {
    const detected = {
      provider: "godaddy",
      title: "GoDaddy",
      mixed: true,
      evidence: [
        { nameServer: "ns1.domaincontrol.com", provider: "godaddy" },
        { nameServer: "ns.other.net", provider: null }
      ]
    }
    const found = decide(
      verified,
      "manual",
      good,
      wanted.slice(0, 2),
      { ...rules, ipv6: undefined },
      { detected, mixedLabels: ["раypal"], beside: [] }
    )
    expect(codes(found)).toEqual(["points_here", "ipv6_elsewhere", "mixed_providers", "mixed_scripts"])
  })

  it("reports one silent server as a warning, all silent servers as an error", () => {
    expect(
      look(verified, withApex([[ours], "timeout"])).findings.map((finding) => [finding.code, severityOf(finding)])
    ).toEqual([["points_here", "info"]])
    expect(
      look(verified, throughout([[ours], "timeout"]))
        .findings.map((finding) => [finding.code, severityOf(finding)])
        .slice(0, 2)
    ).toEqual([
      ["points_here", "info"],
      ["name_servers_silent", "warning"]
    ])
    expect(look(verified, throughout(both("timeout"), ["servfail"])).findings.map(severityOf)).toEqual(["error"])
  })
})
