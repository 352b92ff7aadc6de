/** Hashes that identify notices. Pure. Source: interface document 3 §3, the incident notice rule. */
import { hash } from "node:crypto"

/**
 * Hash of an incident update: SHA-256, 64 hexadecimal digits, of its id, a line feed, and its timestamp in UTC with
 * milliseconds (`2026-01-31T08:00:00.000Z`). The fixed length of the timestamp makes the text unambiguous. Accepts any
 * ISO 8601 timestamp; throws on others.
 */
export const noticeHash = (incidentId: string, timestamp: string): string =>
  hash("sha256", `${incidentId}\n${new Date(timestamp).toISOString()}`, "hex")

/**
 * Hash of announced maintenance, from its id and start. The suffix separates it from incidents, whose text ends with
 * the timestamp.
 */
export const maintenanceHash = (id: string, startsAt: string): string =>
  hash("sha256", `${id}\n${new Date(startsAt).toISOString()}\nmaintenance`, "hex")
