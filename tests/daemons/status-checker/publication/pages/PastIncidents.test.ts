import { describe, expect, it } from "vitest"
import { maxPast, stretches } from "#daemons/status-checker/publication/pages/PastIncidents.ts"
import { statusPage } from "#daemons/status-checker/publication/pages/StatusPage.ts"
import { read, textOf } from "./Dom.ts"
import { at, dayBefore, incident, snapshot } from "./Shown.ts"

const from = (daysBefore: number, until: number | null = daysBefore) =>
  incident(`i${daysBefore}`, `T${daysBefore}`, `T${daysBefore}`, {
    created_at: `${dayBefore(daysBefore)}T10:00:00Z`,
    resolved_at: until === null ? null : `${dayBefore(until)}T10:30:00Z`,
    status: until === null ? "monitoring" : "resolved"
  })
const listed = (...incidents: ReadonlyArray<ReturnType<typeof incident>>) =>
  stretches(incidents, at).map((one) =>
    "day" in one ? [one.day, ...one.incidents.map(({ id }) => id)] : `${one.from} ${one.until}`
  )
const past = (incidents: ReadonlyArray<ReturnType<typeof incident>>) =>
  textOf(read(statusPage(snapshot([], { incidents }), "en")).all("section", "past")[0]!)

describe("past days", () => {
  it("without incidents are one sentence", () => {
    expect(listed()).toEqual([`${dayBefore(89)} ${dayBefore(0)}`])
    expect(past([])).toContain("No incidents in the last 90 days.")
  })

  it("list their incidents, with one sentence for each quiet period", () => {
    expect(listed(from(0), from(3), from(89))).toEqual([
      [dayBefore(0), "i0"],
      `${dayBefore(2)} ${dayBefore(1)}`,
      [dayBefore(3), "i3"],
      `${dayBefore(88)} ${dayBefore(4)}`,
      [dayBefore(89), "i89"]
    ])
  })

  it("are not quiet while an incident lasts", () => {
    expect(listed(from(5, 2))).toEqual([
      `${dayBefore(1)} ${dayBefore(0)}`,
      [dayBefore(5), "i5"],
      `${dayBefore(89)} ${dayBefore(6)}`
    ])
    // An open one is told elsewhere.
    expect(listed(from(2, null))).toEqual([`${dayBefore(89)} ${dayBefore(3)}`])
    expect(past([from(2, null)])).not.toContain("No incidents in the last")
    // One from before the days that are kept.
    expect(listed(from(200, 80))).toEqual([`${dayBefore(79)} ${dayBefore(0)}`])
  })

  it("end at the page limit, with a link to the rest", () => {
    const many = Array.from({ length: 40 }, (_, index) => from(index * 2))
    const text = past(many)
    expect(text.match(/T\d+Resolved/g)).toHaveLength(maxPast)
    expect(text).not.toContain("T60Resolved")
    expect(text).not.toMatch(/25 Aug/)
    expect(text).toContain("All incidents")
  })
})
