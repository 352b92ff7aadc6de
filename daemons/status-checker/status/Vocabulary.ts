/** Statuses of components and incidents, and their ranking. Pure. Source: interface document 3 §2.1. */

/** From best to worst, except maintenance, which counts neither as up nor as down. */
export const componentStatuses = [
  "operational",
  "degraded_performance",
  "partial_outage",
  "major_outage",
  "under_maintenance"
] as const
export type ComponentStatus = (typeof componentStatuses)[number]

/** Statuses that are published. `unknown`: no recent check shows that the component is operational. */
export const shownStatuses = [...componentStatuses, "unknown"] as const
export type ShownStatus = (typeof shownStatuses)[number]

export const incidentStatuses = ["investigating", "identified", "monitoring", "resolved"] as const
export type IncidentStatus = (typeof incidentStatuses)[number]

export const severities = ["minor", "major", "critical"] as const
export type Severity = (typeof severities)[number]

const rank: Readonly<Record<ShownStatus, number>> = {
  operational: 0,
  unknown: 1,
  under_maintenance: 2,
  degraded_performance: 3,
  partial_outage: 4,
  major_outage: 5
}

export const worse = <S extends ShownStatus>(a: S, b: S): S => (rank[a] >= rank[b] ? a : b)

/** Worst of all statuses; `operational` when there are none. */
export const overall = (statuses: Iterable<ShownStatus>): ShownStatus =>
  Array.from(statuses).reduce<ShownStatus>(worse, "operational")

/** Lowest status that an open incident implies for its components. `monitoring` and `resolved` imply nothing. */
export const impliedBy = ({
  severity,
  status
}: {
  readonly severity: Severity
  readonly status: IncidentStatus
}): ComponentStatus =>
  status === "monitoring" || status === "resolved"
    ? "operational"
    : ({ minor: "degraded_performance", major: "partial_outage", critical: "major_outage" } as const)[severity]
