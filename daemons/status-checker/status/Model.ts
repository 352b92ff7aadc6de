/**
 * What the rooms of status-checker hand to each other. Names of fields are those of interface document 3 §2.1; times
 * are ISO 8601 in UTC.
 */
import type { Probe } from "./Probe.ts"
import type { ComponentStatus, IncidentStatus, Severity } from "./Vocabulary.ts"

/** A component as SERVICES_FILE declares it. */
export interface Component {
  readonly id: string
  /** German. */
  readonly name: string
  /** English. */
  readonly name_en: string
  /** The container whose health counts. */
  readonly container: string | null
  readonly group: string | null
  /** What is asked beside the container. Neither: it is never measured, and only incidents speak of it. */
  readonly probes: ReadonlyArray<Probe>
}

export interface IncidentUpdate {
  readonly status: IncidentStatus
  /** German. */
  readonly message: string
  /** English. */
  readonly message_en: string
  readonly timestamp: string
}

/** An incident that the public sees. Updates: oldest first. */
export interface Incident {
  readonly id: string
  readonly title: string
  readonly title_en: string
  readonly status: IncidentStatus
  readonly severity: Severity
  readonly components: ReadonlyArray<string>
  readonly created_at: string
  readonly resolved_at: string | null
  readonly updates: ReadonlyArray<IncidentUpdate>
}

/** Work announced beforehand: its components are under maintenance from `starts_at` until before `ends_at`. */
export interface Maintenance {
  readonly id: string
  readonly title: string
  readonly title_en: string
  readonly message: string
  readonly message_en: string
  readonly components: ReadonlyArray<string>
  readonly starts_at: string
  readonly ends_at: string
}

/** What was last seen of a component, after hysteresis. */
export interface ComponentState {
  readonly component_id: string
  readonly status: ComponentStatus
  readonly since: string
  readonly checked_at: string
}

/**
 * One day in UTC: how long the component was measured as what. Unit: milliseconds. What is missing to a whole day was
 * not measured.
 */
export interface Day {
  /** `2026-01-31`. */
  readonly day: string
  readonly operational: number
  readonly degraded_performance: number
  readonly partial_outage: number
  readonly major_outage: number
  readonly under_maintenance: number
}

export interface ShownComponent {
  readonly component: Component
  /** Measured, raised by open incidents and maintenance. */
  readonly status: ComponentStatus
  /** Null: never measured. */
  readonly since: string | null
  readonly checked_at: string | null
  /** Days with a measurement, oldest first, at most 90. */
  readonly days: ReadonlyArray<Day>
}

/** All that is shown, at one moment. */
export interface Snapshot {
  readonly at: string
  readonly status: ComponentStatus
  /** In the order of SERVICES_FILE. */
  readonly components: ReadonlyArray<ShownComponent>
  /** Newest first, open ones and those of the past. */
  readonly incidents: ReadonlyArray<Incident>
  /** Under way and announced, soonest first. */
  readonly maintenance: ReadonlyArray<Maintenance>
  /** The longest a component may be unchecked and still count as looked at. Unit: milliseconds. */
  readonly freshFor: number
}

/** Days of history. Source: interface document 3 §8. */
export const historyDays = 90

/** Announced (core/Wake) by whoever changes what is shown. */
export const topic = "status-checker"

/** Who we are in events. */
export const source = "status-checker"
