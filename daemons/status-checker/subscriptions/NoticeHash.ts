/**
 * By what a thing that subscribers are told of is known again. Pure. Source: interface document 3 §3, the incident
 * notice rule.
 */
import { hash } from "node:crypto"

/**
 * Of an update of an incident: SHA-256, 64 hex characters, of its id, a line feed, and its timestamp in UTC to the
 * millisecond (`2026-01-31T08:00:00.000Z`). The timestamp's length is fixed, so that no two pairs are the same text.
 * Any ISO 8601 timestamp is taken; one that is none dies.
 */
export const noticeHash = (incidentId: string, timestamp: string): string =>
  hash("sha256", `${incidentId}\n${new Date(timestamp).toISOString()}`, "hex")

/**
 * Of announced maintenance: its id and its beginning, apart from all incidents' because theirs end with the timestamp.
 */
export const maintenanceHash = (id: string, startsAt: string): string =>
  hash("sha256", `${id}\n${new Date(startsAt).toISOString()}\nmaintenance`, "hex")
