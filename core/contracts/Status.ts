/**
 * Status page events for workflows and other daemons. Emitted to the provider's own tenant, which owns the page. Source
 * of the terms: interface document 3 §2.1.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

const Incident = Schema.Struct({
  incident_id: Schema.String,
  /** Titles in German and English. */
  title: Schema.String,
  title_en: Schema.String,
  status: Schema.Literals(["investigating", "identified", "monitoring", "resolved"]),
  severity: Schema.Literals(["minor", "major", "critical"]),
  /** Ids of the affected components. */
  components: Schema.Array(Schema.String)
})

/** A component stayed down, and a draft incident waits for publication. */
export const IncidentProposed = define("status.incident.proposed", Incident)
/** A draft was published. */
export const IncidentPublished = define("status.incident.published", Incident)
/** An update was added to a published incident; `status` may have changed. */
export const IncidentUpdated = define("status.incident.updated", Incident)
/** An update was added that resolves the incident. */
export const IncidentResolved = define("status.incident.resolved", Incident)

const ComponentStatus = Schema.Literals([
  "operational",
  "degraded_performance",
  "partial_outage",
  "major_outage",
  "under_maintenance"
])

/** The status that checks compute for a component changed, after hysteresis. */
export const ComponentChanged = define(
  "status.component.changed",
  Schema.Struct({
    component_id: Schema.String,
    /** Null when the component was never measured before. */
    from: Schema.NullOr(ComponentStatus),
    to: ComponentStatus,
    /** ISO 8601. */
    since: Schema.String
  })
)

/** A maintenance window was announced, changed or cancelled. Times in ISO 8601. */
export const MaintenanceChanged = define(
  "status.maintenance.changed",
  Schema.Struct({
    maintenance_id: Schema.String,
    /** Titles in German and English. */
    title: Schema.String,
    title_en: Schema.String,
    /** Ids of the affected components. */
    components: Schema.Array(Schema.String),
    state: Schema.Literals(["announced", "cancelled"]),
    starts_at: Schema.String,
    ends_at: Schema.String
  })
)
