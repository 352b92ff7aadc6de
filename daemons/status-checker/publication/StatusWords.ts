/** Words for statuses on badges and in feeds. Pure. */
import type { Language } from "#core/words/Language.ts"
import type { IncidentStatus, ShownStatus } from "../status/Vocabulary.ts"

export const statusWords: Readonly<Record<Language, Readonly<Record<ShownStatus | IncidentStatus, string>>>> = {
  en: {
    operational: "operational",
    degraded_performance: "degraded",
    partial_outage: "partial outage",
    major_outage: "major outage",
    under_maintenance: "maintenance",
    unknown: "unknown",
    investigating: "investigating",
    identified: "identified",
    monitoring: "monitoring",
    resolved: "resolved"
  },
  de: {
    operational: "verfügbar",
    degraded_performance: "beeinträchtigt",
    partial_outage: "teilweiser Ausfall",
    major_outage: "schwerer Ausfall",
    under_maintenance: "Wartung",
    unknown: "unbekannt",
    investigating: "wird untersucht",
    identified: "Ursache gefunden",
    monitoring: "wird beobachtet",
    resolved: "behoben"
  }
}
