/** The words of the status page and how they rank. Pure. Source: interface document 3 §2.1. */

/** From best to worst, but for maintenance, which stands apart: it is neither up nor down. */
export const componentStatuses = [
  "operational",
  "degraded_performance",
  "partial_outage",
  "major_outage",
  "under_maintenance"
] as const
export type ComponentStatus = (typeof componentStatuses)[number]

export const incidentStatuses = ["investigating", "identified", "monitoring", "resolved"] as const
export type IncidentStatus = (typeof incidentStatuses)[number]

export const severities = ["minor", "major", "critical"] as const
export type Severity = (typeof severities)[number]

const rank: Readonly<Record<ComponentStatus, number>> = {
  operational: 0,
  under_maintenance: 1,
  degraded_performance: 2,
  partial_outage: 3,
  major_outage: 4
}

export const worse = (a: ComponentStatus, b: ComponentStatus): ComponentStatus => (rank[a] >= rank[b] ? a : b)

/** What all of them together are; nothing at all is operational. */
export const overall = (statuses: Iterable<ComponentStatus>): ComponentStatus =>
  Array.from(statuses).reduce(worse, "operational")

/**
 * At least what an open incident says of the components that it names; one that is being watched or over says nothing.
 */
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
