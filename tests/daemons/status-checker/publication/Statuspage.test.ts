import { describe, expect, it } from "@effect/vitest"
import { statuspage } from "#daemons/status-checker/publication/Statuspage.ts"
import { componentStatuses } from "#daemons/status-checker/status/Vocabulary.ts"
import { component, incident, maintenance, picture, snapshot } from "./Pictures.ts"

const base = "https://status.example.org"

const open = incident("a", {
  severity: "major",
  updates: [
    ...incident("a").updates,
    { status: "monitoring", message: "Besser.", message_en: "Better.", timestamp: "2026-01-31T11:00:00.000Z" }
  ],
  status: "monitoring"
})
const over = incident("b", { status: "resolved", resolved_at: "2026-01-30T11:00:00.000Z" })
const works = [
  maintenance("now", { starts_at: "2026-01-31T11:00:00.000Z", ends_at: "2026-01-31T13:00:00.000Z" }),
  maintenance("then")
]
const shown = snapshot({
  components: [
    picture("mail", { component: component("mail", { group: "Post" }), status: "under_maintenance" }),
    picture("web")
  ],
  incidents: [open, over],
  maintenance: works,
  status: "under_maintenance"
})
const parts = ["components", "incidents", "scheduled_maintenances", "status"] as const

const summary = statuspage(shown, "en", base, { parts }) as any

describe("the shape of Statuspage", () => {
  it("has the summary that its clients expect", () => {
    expect(Object.keys(summary)).toEqual(["page", ...parts])
    expect(summary.page).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{12}$/),
      name: "status.example.org",
      url: base,
      time_zone: "Etc/UTC",
      updated_at: shown.at
    })
    expect(summary.status).toEqual({ indicator: "maintenance", description: "Service Under Maintenance" })
    const [group, mail, web] = summary.components
    expect(group).toMatchObject({
      name: "Post",
      group: true,
      group_id: null,
      components: ["mail"],
      status: "under_maintenance",
      position: 1
    })
    expect(mail).toMatchObject({
      id: "mail",
      name: "Service mail",
      group: false,
      group_id: group.id,
      page_id: summary.page.id,
      status: "under_maintenance",
      position: 1
    })
    expect(web).toMatchObject({ id: "web", group_id: null, position: 2, created_at: "2026-01-01T00:00:00.000Z" })
  })

  it("lists unresolved incidents, with the newest update first", () => {
    expect(summary.incidents).toHaveLength(1)
    const [one] = summary.incidents
    expect(one).toMatchObject({
      id: "a",
      name: "Trouble a",
      status: "monitoring",
      impact: "major",
      created_at: "2026-01-31T10:00:00.000Z",
      started_at: "2026-01-31T10:00:00.000Z",
      updated_at: "2026-01-31T11:00:00.000Z",
      monitoring_at: "2026-01-31T11:00:00.000Z",
      resolved_at: null,
      shortlink: `${base}/?lang=en#incident-a`
    })
    expect(one.components.map(({ id }: { id: string }) => id)).toEqual(["mail"])
    expect(one.incident_updates.map(({ body }: { body: string }) => body)).toEqual(["Better.", "We are looking."])
    expect(one.incident_updates[0]).toMatchObject({
      incident_id: "a",
      status: "monitoring",
      display_at: "2026-01-31T11:00:00.000Z"
    })
    expect(new Set(one.incident_updates.map(({ id }: { id: string }) => id)).size).toBe(2)
    expect(
      summary.scheduled_maintenances.map(({ id, impact, scheduled_for, status }: any) => [
        id,
        status,
        impact,
        scheduled_for
      ])
    ).toEqual([
      ["now", "in_progress", "maintenance", "2026-01-31T11:00:00.000Z"],
      ["then", "scheduled", "maintenance", "2026-02-01T10:00:00.000Z"]
    ])
  })

  it("has separate lists, and a German form", () => {
    const of = (wanted: Parameters<typeof statuspage>[3]) => statuspage(shown, "de", base, wanted) as any
    expect(of({ parts: ["incidents"], resolved: true }).incidents.map(({ name }: any) => name)).toEqual([
      "Störung a",
      "Störung b"
    ])
    expect(
      of({ parts: ["scheduled_maintenances"], maintenance: "active" }).scheduled_maintenances.map(({ id }: any) => id)
    ).toEqual(["now"])
    expect(
      of({ parts: ["scheduled_maintenances"], maintenance: "upcoming" }).scheduled_maintenances.map(({ id }: any) => id)
    ).toEqual(["then"])
    expect(Object.keys(of({ parts: ["status"] }))).toEqual(["page", "status"])
  })

  it("has their indicator for each of our states", () => {
    expect(
      componentStatuses.map(
        (status) => (statuspage({ ...shown, status }, "en", base, { parts: ["status"] }) as any).status.indicator
      )
    ).toEqual(["none", "minor", "major", "critical", "maintenance"])
  })

  it("gives a group its worst state", () => {
    const group = (statuses: ReadonlyArray<(typeof componentStatuses)[number]>) =>
      (
        statuspage(
          snapshot({
            components: statuses.map((status, n) =>
              picture(`c${n}`, { status, component: component(`c${n}`, { group: "G" }) })
            )
          }),
          "en",
          base,
          { parts: ["components"] }
        ) as any
      ).components[0].status
    expect(group(["operational", "partial_outage", "under_maintenance"])).toBe("partial_outage")
    expect(group(["operational", "under_maintenance"])).toBe("under_maintenance")
    expect(group(["operational"])).toBe("operational")
  })
})
