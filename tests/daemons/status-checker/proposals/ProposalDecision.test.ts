/** When an incident is drafted and when such a draft is dropped, case by case. Minute 0 is when most of it begins. */
import { describe, it } from "@effect/vitest"
import { expect } from "vitest"
import {
  decide,
  type Draft,
  type ObservedComponent,
  type Situation
} from "#daemons/status-checker/proposals/ProposalDecision.ts"
import type { Incident, Maintenance } from "#daemons/status-checker/status/Model.ts"
import type { ComponentStatus } from "#daemons/status-checker/status/Vocabulary.ts"

const minute = 60_000
const start = Date.parse("2026-01-31T12:00:00Z")
const time = (minutes: number) => start + minutes * minute
const iso = (minutes: number) => new Date(time(minutes)).toISOString()

/** `since`, `checked`: minutes; checked a moment before `now`, unless it is said. */
const seen = (id: string, status: ComponentStatus, since: number, checked?: number) => ({
  id,
  status,
  since: time(since),
  checked
})

const at = (now: number, components: ReadonlyArray<ReturnType<typeof seen>>, more: Partial<Situation> = {}) =>
  decide({
    now: time(now),
    after: 15 * minute,
    together: 5 * minute,
    freshFor: 15 * minute,
    components: components.map(({ checked, ...rest }): ObservedComponent => ({
      ...rest,
      checkedAt: time(checked ?? now)
    })),
    incidents: [],
    maintenance: [],
    drafts: [],
    dismissed: new Set(),
    downSince: new Map(),
    ...more
  })

const incident = (more: Partial<Incident>): Incident => ({
  id: "i",
  title: "",
  title_en: "",
  status: "investigating",
  severity: "minor",
  components: ["a"],
  created_at: iso(0),
  resolved_at: null,
  updates: [],
  ...more
})
const maintenance = (starts: number, ends: number): Maintenance => ({
  id: "m",
  title: "",
  title_en: "",
  message: "",
  message_en: "",
  components: ["a"],
  starts_at: iso(starts),
  ends_at: iso(ends)
})
const proposed: Draft = { id: "d", components: ["a"], proposed_for: "a" }

const down = seen("a", "major_outage", 0)
const up = seen("a", "operational", 20)

describe("a draft is proposed", () => {
  it("after a component is down for the limit, with its severity", () => {
    expect(at(14.9, [down]).propose).toEqual([])
    expect(at(15, [down]).propose).toEqual([{ components: ["a"], severity: "critical", since: time(0) }])
    expect(at(15, [seen("a", "partial_outage", 0)]).propose).toEqual([
      { components: ["a"], severity: "major", since: time(0) }
    ])
  })

  it("for nothing less than an outage", () => {
    for (const status of ["operational", "degraded_performance", "under_maintenance"] as const)
      expect(at(60, [seen("a", status, 0)]).propose).toEqual([])
  })

  it("not from stale checks", () => {
    expect(at(60, [seen("a", "major_outage", 0, 44)]).propose).toEqual([])
    expect(at(60, [seen("a", "major_outage", 0, 45)]).propose).toHaveLength(1)
  })

  it("only without an open incident, active maintenance or draft", () => {
    expect(at(15, [down], { incidents: [incident({})] }).propose).toEqual([])
    expect(at(15, [down], { incidents: [incident({ status: "monitoring" })] }).propose).toEqual([])
    expect(at(15, [down], { incidents: [incident({ components: ["b"] })] }).propose).toHaveLength(1)
    expect(at(15, [down], { maintenance: [maintenance(-60, 16)] }).propose).toEqual([])
    expect(at(15, [down], { maintenance: [maintenance(-60, 15)] }).propose).toHaveLength(1)
    expect(at(15, [down], { maintenance: [maintenance(16, 60)] }).propose).toHaveLength(1)
    expect(at(15, [down], { drafts: [{ id: "d", components: ["b", "a"], proposed_for: null }] }).propose).toEqual([])
  })

  it("not right after an incident was resolved", () => {
    const over = { incidents: [incident({ status: "resolved", resolved_at: iso(20) })] }
    expect(at(34, [down], over).propose).toEqual([])
    expect(at(35, [down], over).propose).toHaveLength(1)
  })

  it("not again after a user deleted it, until the component was up", () => {
    const dismissed = { dismissed: new Set(["a"]) }
    expect(at(30, [down], dismissed)).toMatchObject({ propose: [], forget: [] })
    expect(at(30, [up], dismissed).forget).toEqual(["a"])
    expect(at(60, [seen("a", "operational", 0, 1)], dismissed).forget).toEqual([])
  })

  it("counted from the first outage, for any later severity", () => {
    const first = at(10, [seen("a", "partial_outage", 0)])
    const then = at(15, [seen("a", "major_outage", 12)], { downSince: first.downSince })
    expect(then.propose).toEqual([{ components: ["a"], severity: "critical", since: time(0) }])
    const between = at(12, [seen("a", "operational", 11)], { downSince: first.downSince })
    expect(at(16, [seen("a", "major_outage", 13)], { downSince: between.downSince }).propose).toEqual([])
  })
})

describe("components that go down together", () => {
  it("share one draft, in order of declaration, with the worst severity", () => {
    const { propose } = at(15, [
      seen("c", "partial_outage", 4),
      seen("a", "partial_outage", 0),
      seen("b", "major_outage", 5)
    ])
    expect(propose).toEqual([{ components: ["c", "a", "b"], severity: "critical", since: time(0) }])
  })

  it("are separate when minutes lie between, and each waits its time", () => {
    const components = [down, seen("b", "major_outage", 6), seen("c", "major_outage", 30)]
    expect(at(15, components.slice(0, 2)).propose.map(({ components }) => components)).toEqual([["a"]])
    expect(at(45, components).propose.map(({ components }) => components)).toEqual([["a"], ["b"], ["c"]])
  })
})

describe("a proposal is dropped", () => {
  it("when all its components recovered before its publication", () => {
    const both = { drafts: [{ id: "d", components: ["a", "b"], proposed_for: "a" }] }
    expect(at(30, [up, seen("b", "degraded_performance", 25)], both).withdraw).toEqual([
      { id: "d", reason: "recovered" }
    ])
    expect(at(30, [up, seen("b", "partial_outage", 0)], both).withdraw).toEqual([])
  })

  it("when another incident or maintenance covers it", () => {
    expect(at(30, [down], { drafts: [proposed], incidents: [incident({})] }).withdraw).toEqual([
      { id: "d", reason: "covered" }
    ])
    expect(at(30, [down], { drafts: [proposed], maintenance: [maintenance(20, 60)] }).withdraw).toEqual([
      { id: "d", reason: "covered" }
    ])
  })

  it("but not when a user edited it, and not because checks are stale", () => {
    expect(at(30, [up], { drafts: [{ ...proposed, proposed_for: null }] }).withdraw).toEqual([])
    expect(at(60, [seen("a", "operational", 20, 30)], { drafts: [proposed] }).withdraw).toEqual([])
    expect(at(60, [], { drafts: [proposed] }).withdraw).toEqual([])
    expect(at(60, [seen("a", "under_maintenance", 20)], { drafts: [proposed] }).withdraw).toEqual([])
  })
})
