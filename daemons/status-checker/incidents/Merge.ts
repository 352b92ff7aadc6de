/** The hand-kept file and what was published here, as one list. Pure. */
import type { Incident, IncidentUpdate } from "../status/Model.ts"

/**
 * Author id; where both have it the file's words hold (also its status and its end), and updates of both stand by their
 * timestamp, oldest first. Newest first. Of two in one list with one id the first one's words hold.
 */
export const merge = (file: ReadonlyArray<Incident>, stored: ReadonlyArray<Incident>): ReadonlyArray<Incident> => {
  const merged = new Map<string, Incident>()
  for (const incident of [...file, ...stored]) {
    const words = merged.get(incident.id)
    merged.set(incident.id, { ...(words ?? incident), updates: updatesOf(words?.updates ?? [], incident.updates) })
  }
  return [...merged.values()].sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at) || compare(a.id, b.id))
}

const updatesOf = (
  first: ReadonlyArray<IncidentUpdate>,
  second: ReadonlyArray<IncidentUpdate>
): ReadonlyArray<IncidentUpdate> => {
  const byTime = new Map<number, IncidentUpdate>()
  for (const update of [...first, ...second]) {
    const moment = Date.parse(update.timestamp)
    if (!byTime.has(moment)) byTime.set(moment, update)
  }
  return [...byTime].sort(([a], [b]) => a - b).map(([, update]) => update)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
