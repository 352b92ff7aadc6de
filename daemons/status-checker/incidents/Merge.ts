/** Merges the incidents of INCIDENTS_FILE and of the database. Pure. */
import type { Incident, IncidentUpdate } from "../status/Model.ts"

/**
 * Merges by id and sorts from newest to oldest. For an id in both, the file's fields win, including status and end;
 * updates of both are joined by timestamp, oldest first. Of duplicates within one list, the first wins.
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
