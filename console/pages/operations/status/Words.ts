/** Words of the status page's components in both languages. */
import type { Answer } from "../../../lib/Endpoints.ts"
import { words } from "../../../lib/Language.ts"
import type { Tone } from "../../../parts/Badge.tsx"

export type Check = Answer<"GET /api/v1/admin/checks">["items"][number]

const t = words({
  en: {
    operational: "operational",
    degraded_performance: "degraded",
    partial_outage: "partial outage",
    major_outage: "outage",
    under_maintenance: "maintenance",
    checking: "checking",
    up: "up",
    degraded: "slow or impaired",
    down: "down",
    unknown: "not measured"
  },
  de: {
    operational: "verfügbar",
    degraded_performance: "beeinträchtigt",
    partial_outage: "teilweiser Ausfall",
    major_outage: "Ausfall",
    under_maintenance: "Wartung",
    checking: "wird geprüft",
    up: "erreichbar",
    degraded: "langsam oder gestört",
    down: "nicht erreichbar",
    unknown: "nicht gemessen"
  }
})

const tones: Readonly<Record<string, Tone>> = {
  operational: "success",
  up: "success",
  degraded_performance: "warning",
  degraded: "warning",
  partial_outage: "warning",
  major_outage: "error",
  down: "error"
}

/** A component without a status waits for its first check. */
export const statusWord = (status: Check["status"]): string => t()[status ?? "checking"]

export const statusTone = (status: Check["status"]): Tone => tones[status ?? ""] ?? "quiet"

export const outcomeWord = (outcome: string): string => (t() as Readonly<Record<string, string>>)[outcome] ?? outcome

export const outcomeTone = (outcome: string): Tone => tones[outcome] ?? "quiet"
