/** Rows of document 3, §4.4: backups. The installation of the test has no repository. */
import type { Row } from "./Row.ts"

export const documentThreeWatchdog: ReadonlyArray<Row> = [
  { section: "3 §4.4", endpoint: "GET /api/v1/backups", status: 409 },
  {
    section: "3 §4.4, §2.4",
    endpoint: "POST /api/v1/backups/schedules",
    in: ["name", "cron", "type"],
    body: () => ({ name: "weekly", cron: "0 4 * * 0", type: "full" }),
    status: 201,
    out: ["name", "cron", "type"],
    keeps: { schedule_id: "id" }
  },
  { section: "3 §4.4, §2.4", endpoint: "GET /api/v1/backups/schedules" },
  { section: "3 §4.4", endpoint: "POST /api/v1/backups/trigger/{schedule_id}", status: 409 }
]
