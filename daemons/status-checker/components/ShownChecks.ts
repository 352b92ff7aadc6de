/** Checks as callers see them who may not change components. Pure. */
import type { StoredRow } from "../status-files/Exports.ts"

/** Scheme and host of a URL; an empty text for anything else. */
const originOf = (url: unknown): string => (typeof url === "string" ? (URL.parse(url)?.origin ?? "") : "")

/** The row with the scheme and host of each URL. Paths and queries may hold secrets, such as a key of an API. */
export const withHostsOnly = (row: StoredRow): StoredRow => ({
  ...row,
  checks: row.checks.map((check) => ("url" in check ? { ...check, url: originOf(check["url"]) } : check))
})
