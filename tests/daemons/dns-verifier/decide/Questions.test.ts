import { expect, it } from "@effect/vitest"
import { decide, type State } from "#daemons/dns-verifier/decide/Decide.ts"
import { difference } from "#daemons/dns-verifier/decide/Finding.ts"
import { depthEvery, isNews, type Known, needsDepth, questionsOf } from "#daemons/dns-verifier/decide/Questions.ts"
import type { Observation } from "#daemons/dns-verifier/observe/Observation.ts"
import { good, hints, rules, throughout, wanted, withApex } from "./Seen.ts"

const manual: State = { dns_status: "manual", status: "pending", mismatches: 0, check_every: 5 }
const verified: State = { dns_status: "verified", status: "active", mismatches: 0, check_every: 40 }
const look = (state: State, observation: Observation) => decide(state, "manual", observation, wanted, rules, hints)
/** After looks at this until nothing changes. */
const after = (state: State, observation: Observation): Known => {
  const once = look(state, observation)
  return { ...look(once.state, observation), isSeen: true }
}

it("asks each place once, and always for both kinds of address", () => {
  expect(questionsOf([])).toEqual([{ type: "A", name: "@" }, { type: "AAAA", name: "@" }])
  expect(questionsOf([...wanted, ...wanted, { type: "TXT", name: "@", content: "x" }])).toEqual([
    { type: "A", name: "@" }, { type: "AAAA", name: "@" }, { type: "A", name: "www" }, { type: "TXT", name: "@" }
  ])
})

it("goes deep for news, for what is in the balance, and now and then for what is not well; never for what is good and known", () => {
  const turns = Array.from({ length: depthEvery * 2 }, (_, turn) => turn)
  const deep = (known: Known, observation: Observation) => turns.filter((turn) => needsDepth(known, look(known.state, observation), turn)).length
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

it("takes other foreign values, and one of several servers in trouble, for no news", () => {
  const known = after(manual, withApex([["203.0.113.9"]]))
  const other = look(known.state, withApex([["203.0.113.7"]]))
  expect(difference(known.findings, other.findings)).toBe("detail")
  expect(isNews(known, other)).toBe(false)
  expect(isNews(known, look(known.state, withApex(["nodata"])))).toBe(true)
  const one = after(verified, good)
  const partly = look(one.state, { ...good, asked: good.asked.map((each) => ({ ...each, authorities: each.authorities.map(({ said, server }, at) => ({ server, said: at === 0 ? said : { ...said, outcome: "timeout" as const, values: [] } })) })) })
  expect([difference(one.findings, partly.findings), isNews(one, partly)]).toEqual(["detail", false])
  // As the database gives it back.
  expect(difference(known.findings, JSON.parse(JSON.stringify(known.findings.map(({ args, code, record }) => ({ args, record, code })))))).toBe("same")
})
