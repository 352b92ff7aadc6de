import type { Answer } from "../lib/Endpoints.ts"
import { words } from "../lib/Language.ts"
import { Badge, type Tone } from "./Badge.tsx"

export type Run = Answer<"GET /api/v1/workflows/runs">["items"][number]
export type RunState = Run["state"]

const t = words({
  en: {
    running: "running",
    done: "done",
    delivered: "delivered",
    partly_delivered: "partly delivered",
    failed: "failed",
    uncertain: "in doubt",
    acknowledged: "acknowledged",
    rejected: "rejected",
    duplicate: "repeated",
    acknowledgement: "answer to an alarm"
  },
  de: {
    running: "läuft",
    done: "erledigt",
    delivered: "zugestellt",
    partly_delivered: "teils zugestellt",
    failed: "fehlgeschlagen",
    uncertain: "ungewiss",
    acknowledged: "quittiert",
    rejected: "abgewiesen",
    duplicate: "wiederholt",
    acknowledgement: "Antwort auf Alarm"
  }
})

const tones: Readonly<Record<RunState, Tone>> = {
  running: "info",
  done: "success",
  delivered: "success",
  partly_delivered: "warning",
  failed: "error",
  uncertain: "warning",
  acknowledged: "info",
  rejected: "warning",
  duplicate: "quiet",
  acknowledgement: "quiet"
}

/** Run states in display order. */
export const runStates = Object.keys(tones) as ReadonlyArray<RunState>

export const stateTitle = (state: RunState): string => t()[state]

export const severities = ["ALERT", "CRITICAL", "WARNING", "INFO"] as const

const severityTones: Readonly<Record<string, Tone>> = {
  ALERT: "error",
  CRITICAL: "error",
  WARNING: "warning",
  INFO: "info"
}

export const StateBadge = ({ state }: { readonly state: RunState }) => (
  <Badge tone={tones[state]}>{stateTitle(state)}</Badge>
)

/** Severities are words from the alarm's subject and are not translated. */
export const SeverityBadge = ({ severity }: { readonly severity: string | null }) =>
  severity === null ? null : <Badge tone={severityTones[severity] ?? "quiet"}>{severity}</Badge>
