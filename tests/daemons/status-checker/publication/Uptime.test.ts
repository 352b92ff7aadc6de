import { describe, expect, it } from "@effect/vitest"
import { figures } from "#daemons/status-checker/publication/Uptime.ts"
import { day } from "./Pictures.ts"

const noon = Date.parse("2026-01-31T12:00:00.000Z")

describe("uptime", () => {
  it("is the share of the measured time, with gaps shown as gaps", () => {
    const found = figures(
      [day("2026-01-29", { operational: 18, major_outage: 6 }), day("2026-01-31", { operational: 6 })],
      3,
      noon
    )
    expect(found).toEqual({
      uptime: 80,
      measured: 50,
      days: [
        { date: "2026-01-29", uptime: 75, measured: 100, status: "major_outage" },
        { date: "2026-01-30", uptime: null, measured: 0, status: "unknown" },
        { date: "2026-01-31", uptime: 100, measured: 50, status: "operational" }
      ]
    })
  })

  it("counts degraded as up, partial outages as down, and ignores maintenance", () => {
    const [one] = figures(
      [day("2026-01-31", { operational: 2, degraded_performance: 1, partial_outage: 1, under_maintenance: 8 })],
      1,
      noon
    ).days
    expect(one).toEqual({ date: "2026-01-31", uptime: 75, measured: 100, status: "partial_outage" })
    const only = figures([day("2026-01-31", { under_maintenance: 6 })], 1, noon)
    expect(only).toMatchObject({ uptime: null, measured: 50, days: [{ uptime: null, status: "under_maintenance" }] })
  })

  it("is 100 only without any outage, and has at most three decimals", () => {
    const almost = figures([{ ...day("2026-01-31", { operational: 12 }), major_outage: 1 }], 1, noon)
    expect(almost.uptime).toBe(99.999)
    expect(figures([day("2026-01-31", { operational: 57, major_outage: 43 })], 1, noon).uptime).toBe(57)
    expect(figures([day("2026-01-31", { operational: 1, major_outage: 2 })], 1, noon).uptime).toBe(33.333)
  })

  it("covers exactly the requested days", () => {
    const days = [day("2025-11-02", { major_outage: 24 }), day("2025-11-03", { operational: 24 })]
    const all = figures(days, 90, noon)
    expect([all.days.length, all.days[0], all.days[89]!.date, all.uptime]).toEqual([
      90,
      { date: "2025-11-03", uptime: 100, measured: 100, status: "operational" },
      "2026-01-31",
      100
    ])
    expect(figures([], 1, noon)).toEqual({
      uptime: null,
      measured: 0,
      days: [{ date: "2026-01-31", uptime: null, measured: 0, status: "unknown" }]
    })
  })

  it("continues over midnight", () => {
    expect(figures([day("2026-01-31", {})], 1, Date.parse("2026-01-31T00:00:00.000Z"))).toEqual({
      uptime: null,
      measured: 0,
      days: [{ date: "2026-01-31", uptime: null, measured: 0, status: "unknown" }]
    })
  })
})
