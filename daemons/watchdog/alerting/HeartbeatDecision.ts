/** Decides about heartbeats of other hosts. Pure. Times in epoch milliseconds. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import type { AlertReport } from "./Incident.ts"

const words = shippedTexts("watchdog.heartbeats", {
  en: {
    summary: "No heartbeat of {name} for more than {seconds} s",
    detail: "Last heartbeat: {at}. The host, its watchdog or the network may be down."
  },
  de: {
    summary: "Kein Lebenszeichen von {name} seit mehr als {seconds} s",
    detail: "Letztes Lebenszeichen: {at}. Der Rechner, sein Watchdog oder das Netz kann ausgefallen sein."
  }
})

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
  const at = new Date(lastAt).toISOString()
  return {
    key: `heartbeat ${name}`,
    group: name,
    severity: "critical",
    summary: words("en").summary({ name, seconds: timeoutS }),
    summaryDe: words("de").summary({ name, seconds: timeoutS }),
    detail: words("en").detail({ at }),
    detailDe: words("de").detail({ at }),
    failing: isLate(heartbeat, now, second),
    at: new Date(now)
  }
}
