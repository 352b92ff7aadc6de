import { expect, it } from "@effect/vitest"
import fc from "fast-check"
import { decide, type State } from "#daemons/dns-verifier/verification/decide/Decide.ts"
import { difference } from "#daemons/dns-verifier/verification/decide/Finding.ts"
import {
  depthEvery,
  isNews,
  type Known,
  needsDepth,
  questionsOf
} from "#daemons/dns-verifier/verification/decide/Questions.ts"
import { isFullyVerified } from "#daemons/dns-verifier/verification/decide/FullyVerified.ts"
import type { Observation } from "#daemons/dns-verifier/verification/observe/Observation.ts"
import { asked, good, hints, ours, rules, seen, throughout, wanted, withApex, type Word } from "./Seen.ts"

const manual: State = { dns_status: "manual", status: "pending", mismatches: 0, check_every: 5 }
const verified: State = { dns_status: "verified", status: "active", mismatches: 0, check_every: 40 }
const look = (state: State, observation: Observation) => decide(state, "manual", observation, wanted, rules, hints)
/** After looks at this until nothing changes. */
const after = (state: State, observation: Observation): Known => {
  const once = look(state, observation)
  return { ...look(once.state, observation), isSeen: true }
}

it("asks for each record set once, and always for A and AAAA", () => {
  expect(questionsOf([])).toEqual([
    { type: "A", name: "@" },
    { type: "AAAA", name: "@" }
  ])
  expect(questionsOf([...wanted, ...wanted, { type: "TXT", name: "@", content: "x" }])).toEqual([
    { type: "A", name: "@" },
    { type: "AAAA", name: "@" },
    { type: "A", name: "www" },
    { type: "TXT", name: "@" }
  ])
})

it("asks all servers for news, for unsettled domains and occasionally for faults; never for unchanged good domains", () => {
  const turns = Array.from({ length: depthEvery * 2 }, (_, turn) => turn)
  const deep = (known: Known, observation: Observation) =>
    turns.filter((turn) => needsDepth(known, look(known.state, observation), turn)).length
  expect(deep(after(verified, good), good)).toBe(0)
  const elsewhere = withApex([["203.0.113.9"]])
  expect(deep(after(manual, elsewhere), elsewhere)).toBe(2)
  expect(deep(after(manual, elsewhere), good)).toBe(turns.length)
  expect(deep({ ...after(verified, good), state: { ...verified, mismatches: 1 } }, good)).toBe(turns.length)
  expect(deep({ ...after(manual, elsewhere), isSeen: false }, elsewhere)).toBe(turns.length)
  const coming = withApex([["192.0.2.10"], ["203.0.113.9"]])
  expect(deep(after(manual, coming), coming)).toBe(turns.length)
  const silent = throughout(["timeout"], ["servfail"])
  expect(deep(after(verified, silent), silent)).toBe(2)
})

it("treats changed foreign values, and one failing server of several, as no news", () => {
  const known = after(manual, withApex([["203.0.113.9"]]))
  const other = look(known.state, withApex([["203.0.113.7"]]))
  expect(difference(known.findings, other.findings)).toBe("detail")
  expect(isNews(known, other)).toBe(false)
  expect(isNews(known, look(known.state, withApex(["nodata"])))).toBe(true)
  const one = after(verified, good)
  const partly = look(one.state, {
    ...good,
    asked: good.asked.map((each) => ({
      ...each,
      authorities: each.authorities.map(({ said, server }, at) => ({
        server,
        said: at === 0 ? said : { ...said, outcome: "timeout" as const, values: [] }
      }))
    }))
  })
  expect([difference(one.findings, partly.findings), isNews(one, partly)]).toEqual(["detail", false])
  // As the database gives it back.
  expect(
    difference(
      known.findings,
      JSON.parse(JSON.stringify(known.findings.map(({ args, code, record }) => ({ args, record, code }))))
    )
  ).toBe("same")
})

it("recognises unchanged good domains, and no domain with findings", () => {
  expect(isFullyVerified(after(verified, good), wanted, good, ours)).toBe(true)
  expect(isFullyVerified({ ...after(verified, good), isSeen: false }, wanted, good, ours)).toBe(false)
  expect(isFullyVerified(after(verified, good), wanted, good, undefined)).toBe(false)
  expect(isFullyVerified({ ...after(verified, good), records: ["ok", "unknown", "ok"] }, wanted, good, ours)).toBe(
    false
  )
  const mostly = <A>(one: A, ...others: ReadonlyArray<A>) =>
    fc.oneof({ weight: 9, arbitrary: fc.constant(one) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
  const words = fc.array(
    fc.oneof(
      { weight: 15, arbitrary: fc.constant<Word>([ours]) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<Word>("nodata", "timeout", "lame", [], ["203.0.113.9"], [ours, "203.0.113.9"])
      }
    ),
    { maxLength: 3 }
  )
  const some = wanted.slice(0, 2)
  let plain = 0
  fc.assert(
    fc.property(
      fc.tuple(
        words,
        words,
        words,
        mostly<Word>("nodata", ["2001:db8::1"]),
        mostly(3600, 0, 299),
        mostly<Observation["dnssec"]>("unsigned", "bogus"),
        mostly("delegated", "absent", "unknown")
      ),
      mostly(verified, { ...verified, mismatches: 1 }, { ...verified, check_every: 5 }, manual),
      mostly(true, false),
      ([apex, www, resolvers, six, ttl, dnssec, outcome], state, isKnown) => {
        const observation = seen(
          [
            asked("A", "@", apex, resolvers, ttl),
            asked("A", "www", www, resolvers, ttl),
            asked("AAAA", "@", [six], [], ttl)
          ],
          {
            dnssec,
            delegation: {
              outcome: outcome as "delegated",
              zone: "example.org",
              servers: [{ name: "ns1.example.net", address: isKnown ? "198.51.100.1" : null }]
            }
          }
        )
        const known: Known = {
          state,
          records: ["ok", "ok"],
          findings: [{ code: "points_here", record: { type: "A", name: "@" }, args: { addresses: [ours] } }],
          isSeen: true
        }
        if (!isFullyVerified(known, some, observation, ours)) return
        plain++
        const decision = decide(state, "manual", observation, some, { ...rules, ipv6: undefined }, hints)
        expect([
          isNews(known, decision),
          needsDepth(known, decision, 0),
          difference(known.findings, decision.findings)
        ]).toEqual([false, false, "same"])
      }
    ),
    { numRuns: 2_000 }
  )
  expect(plain).toBeGreaterThan(10)
})
