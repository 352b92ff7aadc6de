import { describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { after, timestampAfter } from "#daemons/status-checker/incidents/Transitions.ts"

const at = "2026-01-31T12:00:00.000Z"
const then = "2026-01-31T10:00:00.000Z"

describe("the status of an incident", () => {
  it("changes in both directions while it is open", () => {
    for (const [from, to] of [
      ["investigating", "monitoring"],
      ["monitoring", "investigating"],
      ["identified", "identified"]
    ] as const) {
      expect(after({ status: from, resolved_at: null }, to, at)).toEqual({ status: to, resolved_at: null })
    }
  })

  it("has an end from its first resolution until it is reopened", () => {
    expect(after({ status: "monitoring", resolved_at: null }, "resolved", at)).toEqual({
      status: "resolved",
      resolved_at: at
    })
    expect(after({ status: "resolved", resolved_at: then }, "resolved", at)).toEqual({
      status: "resolved",
      resolved_at: then
    })
    expect(after({ status: "resolved", resolved_at: then }, "investigating", at)).toEqual({
      status: "investigating",
      resolved_at: null
    })
  })
})

it("an update is later than the previous one, also when the clock was set back", () => {
  expect(timestampAfter(null, new Date(at))).toBe(at)
  expect(timestampAfter(then, new Date(at))).toBe(at)
  expect(timestampAfter(at, new Date(at))).toBe("2026-01-31T12:00:00.001Z")
  expect(timestampAfter(at, new Date(then))).toBe("2026-01-31T12:00:00.001Z")
})
