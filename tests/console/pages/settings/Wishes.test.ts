import { describe, expect, it } from "vitest"
import { choose, chosen, isPattern, patternsOf } from "../../../../console/pages/settings/Wishes.ts"

describe("the table of wishes", () => {
  it("takes a choice, another in its place, and none again", () => {
    const on = choose([], "payment.*", "email", true)
    expect([chosen(on, "payment.*", "email"), chosen(on, "payment.*", "app"), chosen(on, "*", "email")]).toEqual([
      true,
      undefined,
      undefined
    ])
    const off = choose(on, "payment.*", "email", false)
    expect(off).toEqual([{ event_type: "payment.*", channel: "email", enabled: false }])
    expect(choose(off, "payment.*", "email", undefined)).toEqual([])
    expect(choose(off, "payment.*", "app", undefined)).toEqual(off)
  })

  it("has the lines of everybody and one's own, everything first", () => {
    const lines = patternsOf([{ event_type: "crm.task", channel: "app", enabled: true }], ["crm.task", "bank.*"])
    expect(lines[0]).toBe("*")
    expect(lines.filter((line) => line === "crm.task")).toEqual(["crm.task"])
    expect(lines).toContain("bank.*")
  })

  it("knows what is a pattern", () => {
    expect(["*", "payment.*", "a.b_c.d"].every(isPattern)).toBe(true)
    expect(["", "payment*", "Payment.*", ".*", "*.x", "a..b", "x".repeat(101)].filter(isPattern)).toEqual([])
  })
})
