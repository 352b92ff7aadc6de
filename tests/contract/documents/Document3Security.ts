/** Rows of document 3, §4.5: bans. The installation has none. */
import type { Row } from "./Row.ts"

export const documentThreeSecurity: ReadonlyArray<Row> = [
  { section: "3 §4.5", endpoint: "GET /api/v1/security/decisions", out: ["items"] },
  { section: "3 §4.5", endpoint: "GET /api/v1/security/alerts", out: ["items"] },
  { section: "3 §4.5", endpoint: "GET /api/v1/security/summary", out: ["by_rule", "by_day", "top_addresses"] },
  // There is no ban with this id.
  { section: "3 §4.5", endpoint: "DELETE /api/v1/security/decisions/{id}", status: 404 }
]
