/** Words of services in both languages. */
import type { Answer } from "../../../lib/Endpoints.ts"
import { words } from "../../../lib/Language.ts"
import type { Tone } from "../../../parts/Badge.tsx"

type Listed = Answer<"GET /api/v1/system/services">
export type Service = Listed["items"][number]
export type Details = Answer<"GET /api/v1/system/services/:name">
export type Source = Listed["sources"][number]
export type Restart = Details["recent_restarts"][number]
export type LogEntry = Answer<"GET /api/v1/system/services/:name/logs">["items"][number]

export const kinds = ["container", "unit", "daemon"] as const
export const states = ["running", "starting", "stopped", "failed", "unknown"] as const

export const serviceWords = words({
  en: {
    container: "container",
    unit: "systemd unit",
    daemon: "own daemon",
    running: "running",
    starting: "starting",
    stopped: "stopped",
    failed: "failed",
    unknown: "unknown",
    healthy: "healthy",
    degraded: "degraded",
    unhealthy: "unhealthy",
    requested: "requested",
    succeeded: "restarted",
    critical: "restarted by itself"
  },
  de: {
    container: "Container",
    unit: "systemd-Unit",
    daemon: "eigener Daemon",
    running: "läuft",
    starting: "startet",
    stopped: "gestoppt",
    failed: "ausgefallen",
    unknown: "unbekannt",
    healthy: "gesund",
    degraded: "eingeschränkt",
    unhealthy: "ungesund",
    requested: "angefordert",
    succeeded: "neu gestartet",
    critical: "startet von selbst neu"
  }
})

export const stateTones: Readonly<Record<Service["state"], Tone>> = {
  running: "success",
  starting: "info",
  stopped: "warning",
  failed: "error",
  unknown: "quiet"
}

export const healthTones: Readonly<Record<Service["health"], Tone>> = {
  healthy: "success",
  degraded: "warning",
  unhealthy: "error",
  starting: "info",
  none: "quiet"
}

export const restartTones: Readonly<Record<Restart["state"], Tone>> = {
  requested: "info",
  running: "info",
  succeeded: "success",
  failed: "error"
}

export const serviceHref = (name: string): string => `/console/operations/services/${encodeURIComponent(name)}`
