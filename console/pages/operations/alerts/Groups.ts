/** Open alerts by their cause. Pure. */
import type { Alert } from "./Words.ts"

export interface Group {
  readonly name: string
  readonly alerts: ReadonlyArray<Alert>
}

const rank = (alert: Alert): number => (alert.severity === "critical" ? 0 : 1)

/** Groups with a critical alert first, then by the newest alert; within a group likewise. */
export const groupsOf = (alerts: ReadonlyArray<Alert>): ReadonlyArray<Group> => {
  const sorted = alerts.toSorted((a, b) => rank(a) - rank(b) || b.opened_at.localeCompare(a.opened_at))
  return [...Map.groupBy(sorted, ({ group }) => group)].map(([name, alerts]) => ({ name, alerts }))
}
