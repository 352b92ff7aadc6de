/** Words for statuses on badges and in feeds. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

export const statusWords = shippedTexts("status-checker.statuses", {
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
})
