/** Rows of document 3, §4.1 and §4.5: status page and preferences. */
import { html, type Row } from "./Row.ts"

const page = { of: "status-checker", as: "nobody" } as const

const statusPage: ReadonlyArray<Row> = [
  {
    ...page,
    section: "3 §4.1, §2.1",
    endpoint: "GET /api/v1/status",
    in: ["lang"],
    query: () => ({ lang: "de" }),
    out: ["status", "components", "incidents", "timestamp"]
  },
  { ...page, section: "3 §4.1", endpoint: "GET /api/v1/components", out: ["components"] },
  { ...page, section: "3 §4.1", endpoint: "GET /api/v1/uptime", out: ["components"] },
  // The components are those of SERVICES_FILE.
  { ...page, section: "3 §4.1", endpoint: "GET /api/v1/components/{component_id}", status: 404 },
  {
    ...page,
    section: "3 §4.1",
    endpoint: "GET /api/v1/uptime/{component_id}",
    in: ["days"],
    query: () => ({ days: 90 }),
    status: 404
  },
  {
    ...page,
    section: "3 §4.1, §2.1",
    endpoint: "GET /api/v1/incidents/{incident_id}",
    out: ["id", "title", "title_en", "status", "severity", "components", "created_at", "resolved_at", "updates"],
    also: ({ json }) => {
      const missing = ["status", "message", "message_en", "timestamp"].filter((name) => !(name in json.updates[0]))
      return missing.length === 0 ? undefined : `has updates without ${missing}`
    }
  },
  {
    ...page,
    section: "3 §4.1, §2.1",
    endpoint: "POST /api/v1/subscribe",
    trust: "nobody can subscribe before SMTP_HOST and MAIL_FROM name a way for the confirmation mail",
    in: ["email", "lang"],
    body: () => ({ email: "ben@example.net", lang: "de" }),
    status: 503
  },
  {
    ...page,
    section: "3 §4.1",
    endpoint: "GET /api/v1/incidents",
    in: ["limit", "status"],
    query: () => ({ limit: 100, status: "resolved" }),
    out: ["incidents"]
  },
  { ...page, section: "3 §4.1", endpoint: "GET /api/docs", also: html }
]

const preferences: ReadonlyArray<Row> = [
  {
    section: "3 §4.5, §2.6",
    endpoint: "GET /api/v1/settings/preferences",
    as: "user",
    out: ["mail_handler", "call_handler"]
  },
  {
    section: "3 §4.5, §2.6",
    endpoint: "PUT /api/v1/settings/preferences",
    as: "user",
    in: ["mail_handler", "call_handler"],
    body: () => ({ mail_handler: "internal", call_handler: "system" }),
    values: { mail_handler: "internal", call_handler: "system" }
  }
]

export const documentThree: ReadonlyArray<Row> = [...statusPage, ...preferences]
