/** What other features of status-checker may use of incidents. */
export * as IncidentChanges from "./IncidentChanges.ts"
export { merge } from "./Merge.ts"
export { published, type StoredIncident } from "./Store.ts"
