/** Status changes of an incident and their times. Pure. Source of the statuses: interface document 3 §2.1, §3. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import type { IncidentStatus } from "../status/Vocabulary.ts"

export interface IncidentProgress {
  readonly status: IncidentStatus
  readonly resolved_at: string | null
}

/**
 * Progress after an update with status `to` at time `at`. Any order is allowed, because findings may prove wrong;
 * leaving `resolved` opens the incident again. A repeated `resolved` keeps the first end.
 */
export const after = (before: IncidentProgress, to: IncidentStatus, at: string): IncidentProgress => ({
  status: to,
  resolved_at:
    to !== "resolved" ? null : before.status === "resolved" && before.resolved_at !== null ? before.resolved_at : at
})

/**
 * Timestamp of the next update: whole milliseconds, later than the previous one even after a clock change. Reason:
 * incident and timestamp identify an update (interface document 3 §3).
 */
export const timestampAfter = (last: string | null, now: Date): string =>
  new Date(Math.max(now.getTime(), last === null ? 0 : Date.parse(last) + 1)).toISOString()

const words = shippedTexts("status-checker.updates", {
  en: { resolved: "The incident is resolved." },
  de: { resolved: "Die Störung ist behoben." }
})

/** Message of the update that resolves an incident, unless the caller gives one. */
export const resolvedWords = () => ({ message: words("de").resolved, message_en: words("en").resolved })
