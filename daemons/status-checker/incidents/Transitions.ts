/**
 * How an incident goes from one status to the next, and when. Pure. Source of the words: interface document 3 §2.1, §3.
 */
import type { IncidentStatus } from "../status/Vocabulary.ts"

export interface IncidentProgress {
  readonly status: IncidentStatus
  readonly resolved_at: string | null
}

/**
 * After an update of `at` that says `to`. Any order is allowed, since what was found may prove wrong: forward, back,
 * and out of `resolved`, which opens it again. Told again that it is over, it has been over since the first time.
 */
export const after = (before: IncidentProgress, to: IncidentStatus, at: string): IncidentProgress => ({
  status: to,
  resolved_at:
    to !== "resolved" ? null : before.status === "resolved" && before.resolved_at !== null ? before.resolved_at : at
})

/**
 * The timestamp of the next update: whole milliseconds, and later than the one before. Reason: an update is known by
 * its incident and its timestamp (interface document 3 §3), also when a clock was set back.
 */
export const timestampAfter = (last: string | null, now: Date): string =>
  new Date(Math.max(now.getTime(), last === null ? 0 : Date.parse(last) + 1)).toISOString()

/** Message of the update that resolves an incident, unless the caller gives one. */
export const resolvedWords = { message: "Die Störung ist behoben.", message_en: "The incident is resolved." }
