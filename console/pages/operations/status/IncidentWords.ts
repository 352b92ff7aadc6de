/** Words of incidents in both languages. */
import type { Answer } from "../../../lib/Endpoints.ts"
import { language, words } from "../../../lib/Language.ts"
import type { Tone } from "../../../parts/Badge.tsx"

export type Incident = Answer<"GET /api/v1/admin/incidents">["items"][number]

export const incidentWords = words({
  en: {
    draft: "draft",
    open: "open",
    investigating: "investigating",
    identified: "cause found",
    monitoring: "being watched",
    resolved: "resolved",
    minor: "minor",
    major: "major",
    critical: "critical",
    severity: "Severity",
    status: "Status",
    german: "Text in German",
    english: "Text in English"
  },
  de: {
    draft: "Entwurf",
    open: "offen",
    investigating: "wird untersucht",
    identified: "Ursache gefunden",
    monitoring: "wird beobachtet",
    resolved: "behoben",
    minor: "gering",
    major: "erheblich",
    critical: "kritisch",
    severity: "Schwere",
    status: "Status",
    german: "Text auf Deutsch",
    english: "Text auf Englisch"
  }
})

export const severities = ["minor", "major", "critical"] as const
export const statuses = ["investigating", "identified", "monitoring", "resolved"] as const

export const incidentTone = ({ severity, state }: Incident): Tone =>
  state === "resolved" ? "success" : state === "draft" ? "quiet" : severity === "minor" ? "warning" : "error"

export const titleOf = ({ title, title_en }: Pick<Incident, "title" | "title_en">): string =>
  language.value === "de" ? title : title_en

export const incidentHref = (id: string): string => `/console/operations/status/incidents/${encodeURIComponent(id)}`
