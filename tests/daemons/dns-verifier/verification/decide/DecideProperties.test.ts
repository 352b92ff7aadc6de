import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { settledOf, type State } from "#daemons/dns-verifier/verification/decide/Decide.ts"
import type { Observation } from "#daemons/dns-verifier/verification/observe/Observation.ts"
import { asked, ours, rules, seen, wanted, type Word } from "./Seen.ts"
import { failed, look, manual, rounds, verified } from "./States.ts"

const unclean = fc.constantFrom<Word>(
  "servfail",
  "refused",
  "lame",
  "cname_loop",
  "timeout",
  "unreachable",
  "forbidden",
  "malformed"
)
const anyWord = fc.oneof(
  unclean,
  fc.constantFrom<Word>("nodata", "nxdomain", [ours], ["203.0.113.9"], [ours, "203.0.113.9"])
)
const words = (word: fc.Arbitrary<Word>) => fc.array(word, { minLength: 1, maxLength: 4 })
const observed = (
  word: fc.Arbitrary<Word>,
  delegation: fc.Arbitrary<"delegated" | "absent" | "unknown"> = fc.constantFrom("delegated", "unknown")
) =>
  fc
    .tuple(
      words(word),
      words(word),
      words(word),
      words(word),
      delegation,
      fc.constantFrom<Observation["dnssec"]>("signed", "unsigned", "bogus", "unknown")
    )
    .map(([apex, www, six, resolvers, outcome, dnssec]) =>
      seen([asked("A", "@", apex, resolvers), asked("AAAA", "@", six, resolvers), asked("A", "www", www, resolvers)], {
        dnssec,
        delegation: {
          outcome,
          zone: outcome === "absent" ? null : "example.org",
          servers: outcome === "delegated" ? [{ name: "ns1.example.net", address: null }] : []
        }
      })
    )
const anyState: fc.Arbitrary<State> = fc.oneof(
  fc.constant(manual),
  fc.constant({ ...manual, dns_status: "pending_verification" as const }),
  fc.constant(failed),
  fc.constant({ ...failed, dns_status: "pending_verification" as const }),
  fc
    .record({ mismatches: fc.integer({ min: 0, max: 2 }), check_every: fc.constantFrom(5, 20, 320, 1440) })
    .map((more): State => ({ ...verified, ...more }))
)

describe("Decide, for any observation", () => {
  it("keeps its status over ten unclear observations", () => {
    fc.assert(
      fc.property(anyState, fc.array(observed(unclean), { minLength: 10, maxLength: 10 }), (state, observations) => {
        let now = state
        observations.forEach((observation, round) => {
          const next = look(now, observation).state
          expect(next.dns_status).toBe(settledOf(state, "manual"))
          expect(next.status).toBe(state.status)
          if (state.dns_status !== "pending_verification") expect(next.mismatches).toBe(state.mismatches)
          if (round > 0) expect(next).toEqual(now)
          now = next
        })
      })
    )
  })

  it("reaches a stable status under any repeated observation, within the checks that an error needs", () => {
    fc.assert(
      fc.property(
        anyState,
        observed(anyWord, fc.constantFrom("delegated", "absent", "unknown")),
        (state, observation) => {
          const found = rounds(state, observation, 10)
          for (const each of found.slice(rules.errorAfter)) expect(each).toEqual(found[rules.errorAfter - 1])
        }
      )
    )
  })

  it("never revokes active, never sets error too early, and always has a finding", () => {
    fc.assert(
      fc.property(
        anyState,
        fc.array(observed(anyWord, fc.constantFrom("delegated", "absent", "unknown")), { maxLength: 12 }),
        (state, observations) => {
          let now = state
          let elsewhere = state.mismatches
          for (const observation of observations) {
            const next = look(now, observation)
            if (now.status === "active") expect(next.state.status).toBe("active")
            expect(next.state.dns_status === "verified" || next.state.dns_status === "error").toBe(
              next.state.status === "active"
            )
            elsewhere =
              next.state.mismatches === 0 ? 0 : next.state.mismatches > now.mismatches ? elsewhere + 1 : elsewhere
            if (now.dns_status === "verified" && next.state.dns_status === "error")
              expect(elsewhere).toBeGreaterThanOrEqual(rules.errorAfter)
            expect(next.findings.length).toBeGreaterThan(0)
            expect(next.records).toHaveLength(wanted.length)
            now = next.state
          }
        }
      )
    )
  })
})
