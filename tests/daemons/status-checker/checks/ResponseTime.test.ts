import { describe, expect, it } from "vitest"
import { responseTime, slotOf, type TimedResult } from "#daemons/status-checker/checks/ResponseTime.ts"

const result = (kind: string, outcome: TimedResult["outcome"], took: number): TimedResult => ({
  kind,
  outcome,
  detail: "",
  took
})

describe("the response time of a check", () => {
  it("is that of its slowest probe with an answer, in whole milliseconds", () => {
    expect(responseTime([result("http", "up", 12.4), result("tls", "degraded", 30.6)])).toBe(31)
    expect(responseTime([result("http", "up", 0.2)])).toBe(0)
  })

  it("leaves out refusals, timeouts, and probes that say nothing of the component", () => {
    expect(responseTime([result("http", "up", 12), result("tcp", "down", 9_000)])).toBe(12)
    expect(responseTime([result("http", "up", 12), result("dns", "unknown", 9_000)])).toBe(12)
    expect(responseTime([result("container", "up", 80), result("tcp", "up", 2)])).toBe(2)
  })

  it("is none without an answer", () => {
    expect(responseTime([])).toBeUndefined()
    expect(responseTime([result("tcp", "down", 3), result("container", "up", 3)])).toBeUndefined()
  })
})

it("a quarter begins at the full quarter of the hour", () => {
  expect(new Date(slotOf(Date.parse("2026-01-31T12:44:59.999Z"))).toISOString()).toBe("2026-01-31T12:30:00.000Z")
  expect(slotOf(Date.parse("2026-01-31T12:45:00.000Z"))).toBe(Date.parse("2026-01-31T12:45:00.000Z"))
})
