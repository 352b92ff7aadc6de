/**
 * Interface under `/api/v2` for clients of Atlassian Statuspage. Field names and values follow its API; unsupported
 * fields hold its empty values. Source: `summary.json` of its public pages, as clients declare it.
 */
import { createHash } from "node:crypto"
import type { ShownComponent, Incident, IncidentUpdate, Maintenance, Snapshot } from "../status/Model.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import type { ComponentStatus, ShownStatus } from "../status/Vocabulary.ts"
import { isUnderWay } from "./Shapes.ts"

export const indicators: Readonly<Record<ShownStatus, "none" | "minor" | "major" | "critical" | "maintenance">> = {
  operational: "none",
  degraded_performance: "minor",
  partial_outage: "major",
  major_outage: "critical",
  under_maintenance: "maintenance",
  unknown: "minor"
}

/** Status of a component. The original has no word for an unknown one, and clients read any other word as healthy. */
const valueOf = (status: ShownStatus): ComponentStatus => (status === "unknown" ? "degraded_performance" : status)

const descriptions = shippedTexts("status-checker.descriptions", {
  en: {
    operational: "All Systems Operational",
    degraded_performance: "Minor Service Outage",
    partial_outage: "Partial System Outage",
    major_outage: "Major System Outage",
    under_maintenance: "Service Under Maintenance",
    unknown: "Status Unknown"
  },
  de: {
    operational: "Alle Dienste verfügbar",
    degraded_performance: "Ein Dienst ist beeinträchtigt",
    partial_outage: "Teilweiser Ausfall",
    major_outage: "Schwerer Ausfall",
    under_maintenance: "Wartung läuft",
    unknown: "Status unbekannt"
  }
})

/** Parts of an answer, in the order of the original. */
export type Part = "status" | "components" | "incidents" | "scheduled_maintenances"

export interface Wanted {
  readonly parts: ReadonlyArray<Part>
  /** Includes resolved incidents. Default: false. */
  readonly resolved?: boolean
  /** Restricts maintenance. Default: active and announced. */
  readonly maintenance?: "active" | "upcoming"
}

/** Length of `incidents.json`. Source: the original. */
const maxIncidents = 50

export const statuspage = (
  snapshot: Snapshot,
  language: LanguageCode,
  base: string,
  { maintenance, parts, resolved = false }: Wanted
) => {
  const page = {
    id: idOf("page", base),
    name: new URL(base).hostname,
    url: base,
    time_zone: "Etc/UTC",
    updated_at: snapshot.at
  }
  const writer = new Writer(snapshot, language, page)
  const make: Readonly<Record<Part, () => unknown>> = {
    status: () => ({ indicator: indicators[snapshot.status], description: descriptions(language)[snapshot.status] }),
    components: () => [...writer.groups(), ...writer.components()],
    incidents: () =>
      snapshot.incidents
        .filter((one) => resolved || one.status !== "resolved")
        .slice(0, maxIncidents)
        .map((one) => writer.incident(one)),
    scheduled_maintenances: () =>
      snapshot.maintenance
        .filter((one) => maintenance === undefined || isUnderWay(one, snapshot.at) === (maintenance === "active"))
        .map((one) => writer.maintenance(one))
  }
  return { page, ...Object.fromEntries(parts.map((part) => [part, make[part]()])) }
}

/** Stable id derived from what it names; the original uses random ids. */
const idOf = (...parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 12)

const groupId = (group: string): string => idOf("group", group)

class Writer {
  readonly #snapshot: Snapshot
  readonly #language: LanguageCode
  readonly #page: { readonly id: string; readonly url: string }

  constructor(snapshot: Snapshot, language: LanguageCode, page: { readonly id: string; readonly url: string }) {
    this.#snapshot = snapshot
    this.#language = language
    this.#page = page
  }

  components() {
    return this.#snapshot.components.map((one) => this.#component(one))
  }

  /** Groups are components that list their members. */
  groups() {
    const { components } = this.#snapshot
    const names = new Set(components.flatMap(({ component: { group } }) => (group === null ? [] : [group])))
    return Array.from(names, (name) => {
      const members = components.filter(({ component: { group } }) => group === name)
      return {
        ...this.#common(groupId(name), name, components.indexOf(members[0]!) + 1, members[0]!.since),
        status: valueOf(
          members
            .map(({ status }) => status)
            .reduce((a, b) => (indicatorRank[indicators[a]] >= indicatorRank[indicators[b]] ? a : b))
        ),
        group_id: null,
        group: true,
        components: members.map(({ component }) => component.id)
      }
    })
  }

  incident(one: Incident) {
    const monitoring = one.updates.find(({ status }) => status === "monitoring")
    return {
      ...this.#event(one, one.created_at, one.updates.map(({ timestamp }) => timestamp).reduce(later, one.created_at)),
      status: one.status,
      impact: one.severity,
      monitoring_at: monitoring?.timestamp ?? null,
      resolved_at: one.resolved_at,
      incident_updates: one.updates.map((update) => this.#update(one.id, update)).toReversed()
    }
  }

  maintenance(one: Maintenance) {
    const status = isUnderWay(one, this.#snapshot.at) ? "in_progress" : "scheduled"
    return {
      ...this.#event(one, one.starts_at, one.starts_at),
      status,
      impact: "maintenance",
      monitoring_at: null,
      resolved_at: null,
      scheduled_for: one.starts_at,
      scheduled_until: one.ends_at,
      incident_updates: [
        this.#update(one.id, { status, message: one.message, message_en: one.message_en, timestamp: one.starts_at })
      ]
    }
  }

  #text(german: string, english: string): string {
    return this.#language === "de" ? german : english
  }

  #common(id: string, name: string, position: number, since: string | null) {
    const at = since ?? this.#snapshot.at
    return {
      id,
      name,
      created_at: at,
      updated_at: at,
      position,
      description: null,
      showcase: false,
      start_date: null,
      page_id: this.#page.id,
      only_show_if_degraded: false
    }
  }

  #component(one: ShownComponent) {
    const {
      component: { group, id, name, name_en },
      since,
      status
    } = one
    return {
      ...this.#common(id, this.#text(name, name_en), this.#snapshot.components.indexOf(one) + 1, since),
      status: valueOf(status),
      group_id: group === null ? null : groupId(group),
      group: false
    }
  }

  #event(one: Incident | Maintenance, started_at: string, updated_at: string) {
    return {
      id: one.id,
      name: this.#text(one.title, one.title_en),
      created_at: started_at,
      updated_at,
      started_at,
      shortlink: `${this.#page.url}/?lang=${this.#language}#incident-${encodeURIComponent(one.id)}`,
      page_id: this.#page.id,
      components: this.#snapshot.components
        .filter(({ component }) => one.components.includes(component.id))
        .map((found) => this.#component(found)),
      reminder_intervals: null
    }
  }

  #update(
    incident: string,
    { message, message_en, status, timestamp }: Omit<IncidentUpdate, "status"> & { readonly status: string }
  ) {
    return {
      id: idOf("update", incident, timestamp),
      status,
      body: this.#text(message, message_en),
      incident_id: incident,
      created_at: timestamp,
      updated_at: timestamp,
      display_at: timestamp,
      affected_components: null,
      deliver_notifications: true,
      custom_tweet: null,
      tweet_id: null
    }
  }
}

const indicatorRank = { none: 0, maintenance: 1, minor: 2, major: 3, critical: 4 }

const later = (a: string, b: string): string => (Date.parse(a) >= Date.parse(b) ? a : b)
