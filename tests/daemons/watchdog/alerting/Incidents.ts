/** Incidents and reports for tests of pure decisions. */
import type { AlertReport, Incident } from "#daemons/watchdog/alerting/Incident.ts"
import type { MessageRules } from "#daemons/watchdog/alerting/MessagePlan.ts"

export const minute = 60_000

export const rules: MessageRules = {
  repeat: { critical: [60 * minute, 240 * minute], warning: [] },
  gather: 30_000,
  groupInterval: 5 * minute,
  flapChanges: 5,
  flapWindow: 60 * minute
}

export const incident = (more: Partial<Incident> & Pick<Incident, "id">): Incident => ({
  key: more.id,
  group: "host a",
  severity: "critical",
  summary: `${more.id} is broken`,
  detail: null,
  openedAt: 0,
  closedAt: null,
  closeReason: null,
  flapping: false,
  changes: 0,
  recoveringSince: null,
  toldAt: null,
  lastToldAt: null,
  repeats: 0,
  acknowledgedAt: null,
  settled: false,
  ...more
})

export const report = (failing: boolean, at: number, more: Partial<AlertReport> = {}): AlertReport => ({
  key: "disk /var",
  group: "host a",
  severity: "warning",
  summary: "disk /var is 91 % full",
  failing,
  at: new Date(at),
  ...more
})
