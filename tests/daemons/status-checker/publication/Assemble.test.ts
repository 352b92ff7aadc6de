import { describe, expect, it } from "@effect/vitest"
import { assemble, nextBoundary, noStoredData, type Parts } from "#daemons/status-checker/publication/Assemble.ts"
import type { ComponentState } from "#daemons/status-checker/status/Model.ts"
import { component, day, incident, maintenance } from "./Pictures.ts"

const now = Date.parse("2026-01-31T12:00:00.000Z")

const state = (
  status: ComponentState["status"],
  checked_at: string,
  since = "2026-01-31T09:00:00.000Z"
): ComponentState => ({ component_id: "mail", status, since, checked_at })

const shown = (more: Partial<Parts>) =>
  assemble(
    {
      components: [component("mail"), component("web")],
      incidents: [],
      known: noStoredData,
      latest: new Map(),
      freshFor: 900_000,
      ...more
    },
    now
  )

const mail = (more: Partial<Parts>) => {
  const { checked_at, since, status } = shown(more).components[0]!
  return { checked_at, since, status }
}

describe("the shown state", () => {
  it("is the latest measurement of any process", () => {
    expect(mail({})).toEqual({ status: "operational", since: null, checked_at: null })
    const [old, young] = [
      state("major_outage", "2026-01-31T11:00:00.000Z"),
      state("operational", "2026-01-31T11:30:00.000Z", "2026-01-31T11:30:00.000Z")
    ]
    expect(mail({ known: { ...noStoredData, states: [old] }, latest: new Map([["mail", young]]) }).status).toBe(
      "operational"
    )
    expect(mail({ known: { ...noStoredData, states: [young] }, latest: new Map([["mail", old]]) }).status).toBe(
      "operational"
    )
    expect(mail({ latest: new Map([["mail", old]]) })).toEqual({
      status: "major_outage",
      since: old.since,
      checked_at: old.checked_at
    })
  })

  it("is unknown without a recent check, unless it is worse", () => {
    const components = [component("mail", { container: "mail" }), component("web")]
    const at = (status: ComponentState["status"], checked_at: string) => ({
      components,
      known: { ...noStoredData, states: [state(status, checked_at)] }
    })
    expect(mail({ components })).toEqual({ status: "unknown", since: null, checked_at: null })
    const [fresh, stale] = ["2026-01-31T11:45:00.000Z", "2026-01-31T11:44:59.000Z"]
    expect(mail(at("operational", fresh)).status).toBe("operational")
    expect(mail(at("operational", stale))).toEqual({ status: "unknown", since: null, checked_at: stale })
    expect(mail(at("partial_outage", stale)).status).toBe("partial_outage")
    expect(mail({ ...at("operational", stale), incidents: [incident("a", { severity: "minor" })] }).status).toBe(
      "degraded_performance"
    )
    const overall = (more: Partial<Parts>) => shown(more).status
    expect([
      overall({ components: [] }),
      overall({ components }),
      overall(at("operational", fresh)),
      overall({ ...at("operational", stale), incidents: [incident("b", { severity: "major", components: ["web"] })] })
    ]).toEqual(["unknown", "unknown", "operational", "partial_outage"])
  })

  it("is raised to the severity of open incidents for their components", () => {
    const known = { ...noStoredData, states: [state("degraded_performance", "2026-01-31T11:00:00.000Z")] }
    expect(mail({ known, incidents: [incident("a", { severity: "minor" })] })).toMatchObject({
      status: "degraded_performance",
      since: "2026-01-31T09:00:00.000Z"
    })
    expect(mail({ known, incidents: [incident("a", { severity: "critical" })] })).toMatchObject({
      status: "major_outage",
      since: "2026-01-31T10:00:00.000Z"
    })
    for (const status of ["monitoring", "resolved"] as const) {
      expect(mail({ known, incidents: [incident("a", { severity: "critical", status })] }).status).toBe(
        "degraded_performance"
      )
    }
    expect(shown({ incidents: [incident("a", { severity: "major" })] }).components[1]!.status).toBe("operational")
    // Those of the database as those of the file.
    expect(mail({ known: { ...noStoredData, incidents: [incident("b", { severity: "major" })] } }).status).toBe(
      "partial_outage"
    )
  })

  it("is overall the worst state, also for an incident without components", () => {
    expect(shown({}).status).toBe("operational")
    expect(shown({ incidents: [incident("a", { severity: "major" })] }).status).toBe("partial_outage")
    expect(shown({ incidents: [incident("a", { severity: "critical", components: [] })] })).toMatchObject({
      status: "major_outage",
      components: [{ status: "operational" }, { status: "operational" }]
    })
  })

  it("is maintenance during a window for any measurement, unless an incident is worse", () => {
    const down = [state("major_outage", "2026-01-31T11:00:00.000Z")]
    const at = (starts_at: string, ends_at: string, incidents: Parts["incidents"] = []) =>
      mail({
        incidents,
        known: { ...noStoredData, states: down, maintenance: [maintenance("m", { starts_at, ends_at })] }
      })
    expect(at("2026-01-31T12:00:00.000Z", "2026-01-31T12:00:00.001Z")).toMatchObject({
      status: "under_maintenance",
      since: "2026-01-31T12:00:00.000Z"
    })
    expect(at("2026-01-31T12:00:00.001Z", "2026-01-31T13:00:00.000Z").status).toBe("major_outage")
    expect(at("2026-01-31T11:00:00.000Z", "2026-01-31T12:00:00.000Z").status).toBe("major_outage")
    expect(
      at("2026-01-31T11:00:00.000Z", "2026-01-31T13:00:00.000Z", [incident("a", { severity: "major" })]).status
    ).toBe("partial_outage")
  })

  it("omits past maintenance, and days before the ninetieth", () => {
    const { components, maintenance: left } = shown({
      known: {
        ...noStoredData,
        days: { mail: ["2025-11-02", "2025-11-03", "2026-01-31"].map((date) => day(date, { operational: 1 })) },
        maintenance: [
          maintenance("over", { starts_at: "2026-01-31T10:00:00.000Z", ends_at: "2026-01-31T12:00:00.000Z" }),
          maintenance("coming")
        ]
      }
    })
    expect(left.map(({ id }) => id)).toEqual(["coming"])
    expect(components[0]!.days.map((one) => one.day)).toEqual(["2025-11-03", "2026-01-31"])
  })

  it("accepts component ids that are names of object properties", () => {
    expect(
      assemble(
        {
          components: [component("constructor"), component("__proto__")],
          incidents: [],
          known: noStoredData,
          latest: new Map(),
          freshFor: 1
        },
        now
      ).components.map(({ days }) => days)
    ).toEqual([[], []])
  })

  it("changes with time when maintenance begins and ends", () => {
    const known = {
      maintenance: [
        maintenance("a", { starts_at: "2026-01-31T11:00:00.000Z", ends_at: "2026-01-31T14:00:00.000Z" }),
        maintenance("b", { starts_at: "2026-01-31T13:00:00.000Z" })
      ]
    }
    expect(new Date(nextBoundary(known, now)).toISOString()).toBe("2026-01-31T13:00:00.000Z")
    expect(new Date(nextBoundary(known, Date.parse("2026-01-31T13:00:00.000Z"))).toISOString()).toBe(
      "2026-01-31T14:00:00.000Z"
    )
    expect(nextBoundary({ maintenance: [] }, now)).toBe(Number.POSITIVE_INFINITY)
  })
})
