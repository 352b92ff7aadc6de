/**
 * Types that the features of status-checker exchange. Field names are those of interface document 3 §2.1; times are ISO
 * 8601 in UTC.
 */
import type { Probe } from "./Probe.ts"
import type { ComponentStatus, IncidentStatus, Severity, ShownStatus } from "./Vocabulary.ts"

/** Component that SERVICES_FILE declares, or that an operator made in the console. */
export interface Component {
  readonly id: string
  /** Name in German. */
  readonly name: string
  /** Name in English. */
  readonly name_en: string
  /** Container whose health is checked. */
  readonly container: string | null
  /** Name of the group in German; components with the same name form a group. */
  readonly group: string | null
  /** Name of the group in English; absent: the German one. */
  readonly group_en?: string
  /**
   * Probes beside the container. A component without container and probes is never measured; only incidents change its
   * status.
   */
  readonly probes: ReadonlyArray<Probe>
}

export interface IncidentUpdate {
  readonly status: IncidentStatus
  /** Message in German. */
  readonly message: string
  /** Message in English. */
  readonly message_en: string
  readonly timestamp: string
}

/** Published incident. Its updates are sorted from oldest to newest. */
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

/**
 * Announced maintenance window. Its components are under maintenance from `starts_at` (inclusive) to `ends_at`
 * (exclusive).
 */
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

/** Latest measured state of a component, after hysteresis. */
export interface ComponentState {
  readonly component_id: string
  readonly status: ComponentStatus
  readonly since: string
  readonly checked_at: string
}

/**
 * Measured time of one component on one day in UTC, by status. Unit: milliseconds. The rest of the day was not
 * measured.
 */
export interface Day {
  /** Such as `2026-01-31`. */
  readonly day: string
  readonly operational: number
  readonly degraded_performance: number
  readonly partial_outage: number
  readonly major_outage: number
  readonly under_maintenance: number
}

/** Response times of a component in one quarter of an hour. */
export interface ResponseTimes {
  /** Begin of the quarter (ISO 8601). */
  readonly at: string
  /** Number of checks with an answer. */
  readonly checks: number
  /** Unit: milliseconds, whole. */
  readonly mean_ms: number
  readonly most_ms: number
}

export interface ShownComponent {
  readonly component: Component
  /**
   * Measured status, raised by open incidents and maintenance. A checked component without a recent check is `unknown`
   * in place of `operational`.
   */
  readonly status: ShownStatus
  /** Begin of the current status (ISO 8601); null when the component was never measured. */
  readonly since: string | null
  /** Time of the last check (ISO 8601); null before the first one. */
  readonly checked_at: string | null
  /** Days with measurements, oldest first, at most 90. */
  readonly days: ReadonlyArray<Day>
  /** Quarters of the last 24 hours with an answer, oldest first, at most 97. */
  readonly times: ReadonlyArray<ResponseTimes>
}

/** Everything the page shows, at one time. */
export interface Snapshot {
  readonly at: string
  /** Worst status of all components; `unknown` without components. */
  readonly status: ShownStatus
  /** Sorted as in SERVICES_FILE; then those of the console, oldest first. */
  readonly components: ReadonlyArray<ShownComponent>
  /** Newest first, open and past ones. */
  readonly incidents: ReadonlyArray<Incident>
  /** Active and announced windows, earliest first. */
  readonly maintenance: ReadonlyArray<Maintenance>
  /** Age of a check from which the component counts as stale. Unit: milliseconds. */
  readonly freshFor: number
}

/** Days of history. Source: interface document 3 §8. */
export const historyDays = 90

/** Time that response times are summed over. Unit: milliseconds. Reason: a chart on a phone shows the 96 of a day. */
export const responseStep = 900_000

/** How much of the response times is shown. Unit: hours. */
export const responseHours = 24

/** How long response times are kept. Unit: days. Reason: longer than they are shown, so that no clock shortens it. */
export const responseDays = 2

/** Topic of core/events/Wake for every change of what the page shows. */
export const topic = "status-checker"

/** Source of our events. */
export const source = "status-checker"
