/** Things to show, for tests. */
import fc from "fast-check"
import type {
  Component,
  ShownComponent,
  Day,
  Incident,
  Maintenance,
  Snapshot
} from "#daemons/status-checker/status/Model.ts"

export const component = (id: string, more: Partial<Component> = {}): Component => ({
  id,
  name: `Dienst ${id}`,
  name_en: `Service ${id}`,
  container: null,
  group: null,
  probes: [],
  ...more
})

export const picture = (id: string, more: Partial<ShownComponent> = {}): ShownComponent => ({
  component: component(id),
  status: "operational",
  since: "2026-01-01T00:00:00.000Z",
  checked_at: "2026-01-31T11:59:00.000Z",
  days: [],
  times: [],
  ...more
})

export const incident = (id: string, more: Partial<Incident> = {}): Incident => ({
  id,
  title: `Störung ${id}`,
  title_en: `Trouble ${id}`,
  status: "investigating",
  severity: "minor",
  components: ["mail"],
  created_at: "2026-01-31T10:00:00.000Z",
  resolved_at: null,
  updates: [
    {
      status: "investigating",
      message: "Wir sehen nach.",
      message_en: "We are looking.",
      timestamp: "2026-01-31T10:00:00.000Z"
    }
  ],
  ...more
})

export const maintenance = (id: string, more: Partial<Maintenance> = {}): Maintenance => ({
  id,
  title: `Umbau ${id}`,
  title_en: `Works ${id}`,
  message: "Kurz weg.",
  message_en: "Shortly away.",
  components: ["mail"],
  starts_at: "2026-02-01T10:00:00.000Z",
  ends_at: "2026-02-01T12:00:00.000Z",
  ...more
})

/** Milliseconds of a day, as hours of each. */
export const day = (date: string, hours: Partial<Omit<Day, "day">>): Day => ({
  day: date,
  operational: 0,
  degraded_performance: 0,
  partial_outage: 0,
  major_outage: 0,
  under_maintenance: 0,
  ...Object.fromEntries(Object.entries(hours).map(([status, count]) => [status, count * 3_600_000]))
})

export const snapshot = (more: Partial<Snapshot> = {}): Snapshot => ({
  at: "2026-01-31T12:00:00.000Z",
  status: "operational",
  components: [picture("mail"), picture("web")],
  incidents: [],
  maintenance: [],
  freshFor: 900_000,
  ...more
})

/** Any text, halves of characters and what XML cannot write among it. */
export const anyText = fc.string({
  unit: fc.oneof(fc.nat(0x7f), fc.nat(0x10_ffff)).map((code) => String.fromCodePoint(code)),
  maxLength: 20
})
