/**
 * What happens on the status page, for workflows and other daemons. Emitted to the provider's own tenant: the page is
 * nobody else's. Source of the words: interface document 3 §2.1.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

const Incident = Schema.Struct({
  incident_id: Schema.String,
  /** German, English. */
  title: Schema.String,
  title_en: Schema.String,
  status: Schema.Literals(["investigating", "identified", "monitoring", "resolved"]),
  severity: Schema.Literals(["minor", "major", "critical"]),
  /** Their ids. */
  components: Schema.Array(Schema.String)
})

/** Something stayed down, and a draft waits for somebody who publishes it. */
export const IncidentProposed = define("status.incident.proposed", Incident)
/** A draft was published. */
export const IncidentPublished = define("status.incident.published", Incident)
/** A published one was told more of; `status` may be another than before. */
export const IncidentUpdated = define("status.incident.updated", Incident)
/** The same, and it is over. */
export const IncidentResolved = define("status.incident.resolved", Incident)

const ComponentStatus = Schema.Literals([
  "operational",
  "degraded_performance",
  "partial_outage",
  "major_outage",
  "under_maintenance"
])

/** What checks make of a component is another than before, after hysteresis. */
export const ComponentChanged = define(
  "status.component.changed",
  Schema.Struct({
    component_id: Schema.String,
    /** Null: it was never measured before. */
    from: Schema.NullOr(ComponentStatus),
    to: ComponentStatus,
    /** ISO 8601. */
    since: Schema.String
  })
)
