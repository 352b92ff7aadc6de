/** What the walks do with each operation that is everybody's. */
import { type Cases, open } from "#support/walk/Case.ts"

const shown = (path: string, query: Readonly<Record<string, string | number>> = {}) =>
  ({ [`GET ${path}`]: open("the page is public", { request: () => ({ query: { lang: "de", ...query } }), success: 200, freeText: ["query.lang"] }) })

const one = (path: string, key: string, value: string, query: Readonly<Record<string, string | number>> = {}) => ({
  [`GET ${path}`]: open("the page is public", {
    request: () => ({ path: { [key]: value }, query: { lang: "de", ...query } }),
    success: 200,
    freeText: ["query.lang", `path.${key}`]
  })
})

export const publicCases: Cases = {
  ...shown("/"),
  ...shown("/feed.atom"),
  ...shown("/badge.svg"),
  ...one("/badge/{file}", "file", "webmail.svg"),
  "GET /api/docs": open("documentation", { success: 200 }),
  "GET /api/openapi.json": open("documentation", { success: 200 }),
  ...shown("/api/v1/status"),
  ...shown("/api/v1/components"),
  ...one("/api/v1/components/{id}", "id", "webmail"),
  ...shown("/api/v1/uptime", { days: 30 }),
  ...one("/api/v1/uptime/{id}", "id", "webmail", { days: 30 }),
  ...shown("/api/v1/incidents", { limit: 10, status: "resolved" }),
  ...shown("/api/v2/summary.json"),
  ...shown("/api/v2/status.json"),
  ...shown("/api/v2/components.json"),
  ...shown("/api/v2/incidents.json"),
  ...shown("/api/v2/incidents/unresolved.json"),
  ...shown("/api/v2/scheduled-maintenances.json"),
  ...shown("/api/v2/scheduled-maintenances/active.json"),
  ...shown("/api/v2/scheduled-maintenances/upcoming.json")
}
