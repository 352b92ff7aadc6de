/** Decides about heartbeats of other hosts. Pure. Times in epoch milliseconds. */
import type { AlertReport } from "./Incident.ts"

export interface Heartbeat {
  readonly name: string
  readonly lastAt: number
  readonly timeoutS: number
}

/** Whether it stayed away for too long. A time in the future means that the clock was set back: it counts as now. */
export const isLate = ({ lastAt, timeoutS }: Heartbeat, now: number, second = 1_000): boolean =>
  now - lastAt > timeoutS * second

/** The report of a heartbeat, late or not. */
export const reportOf = (heartbeat: Heartbeat, now: number, second?: number): AlertReport => {
  const { lastAt, name, timeoutS } = heartbeat
  return {
    key: `heartbeat ${name}`,
    group: name,
    severity: "critical",
    summary: `No heartbeat of ${name} for more than ${timeoutS} s`,
    summaryDe: `Kein Lebenszeichen von ${name} seit mehr als ${timeoutS} s`,
    detailDe:
      `Letztes Lebenszeichen: ${new Date(lastAt).toISOString()}. ` +
      "Der Rechner, sein Watchdog oder das Netz kann ausgefallen sein.",
    detail: `Last heartbeat: ${new Date(lastAt).toISOString()}. The host, its watchdog or the network may be down.`,
    failing: isLate(heartbeat, now, second),
    at: new Date(now)
  }
}
