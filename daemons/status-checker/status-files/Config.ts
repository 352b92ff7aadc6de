/** What status-checker is told by its environment. Source of the names without a prefix: interface document 3 §2.1. */
import { isAbsolute } from "node:path"
import { addressProblem } from "#core/second-path/NoticeSettings.ts"
import type { Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"

const file = (name: string, doc: string) =>
  Settings.optionalText(name, { doc, check: (text) => (isAbsolute(text) ? undefined : "must be an absolute path") })

export const statusCheckerSettings = {
  servicesFile: file(
    "SERVICES_FILE",
    "JSON file with the components and how they are checked, read again when it changes; unset: no components"
  ),
  incidentsFile: file(
    "INCIDENTS_FILE",
    "JSON file with incidents kept by hand, read again when it changes; unset: none"
  ),
  uptimeFile: file("UPTIME_FILE", "JSON file with days measured before, taken in once; unset: none"),
  subscribersFile: file("SUBSCRIBERS_DB", "SQLite or JSON file with subscribers, taken in once; unset: none"),
  notifiedFile: file(
    "NOTIFIED_FILE",
    "JSON file with hashes of incident updates that were told before, taken in once; unset: none"
  ),
  checkInterval: Settings.integer("CHECK_INTERVAL", {
    doc: "Between two checks of a component",
    unit: "seconds",
    default: 300,
    min: 1,
    max: 86_400
  }),
  smtpHost: Settings.optionalText("SMTP_HOST", { doc: "Relay for mail to subscribers; unset: nobody can subscribe" }),
  smtpPort: Settings.port("SMTP_PORT", { doc: "Its port", default: 25 }),
  mailFrom: Settings.optionalText("MAIL_FROM", {
    doc: "Sender of mail to subscribers; unset: nobody can subscribe",
    check: addressProblem
  }),
  mailConnections: Settings.integer("SIGNALBOX_STATUS_MAIL_CONNECTIONS", {
    doc: "Mails to subscribers that are handed to the relay at the same time; after a crash at most so many go twice",
    unit: "connections",
    default: 1,
    min: 1,
    max: 32
  }),
  mailRate: Settings.integer("SIGNALBOX_STATUS_MAIL_RATE", {
    doc: "Mails to subscribers that are handed to the relay, at most",
    unit: "mails a minute",
    default: 6_000,
    min: 1,
    max: 100_000
  }),
  baseUrl: Settings.httpAddress("BASE_URL", {
    doc: "Address of the status page, for links in mails and feeds; unset: where it listens"
  }),
  containerSocket: Settings.text("SIGNALBOX_CONTAINER_SOCKET", {
    doc: "Socket of a Docker-compatible engine, asked for the health of containers",
    default: "/var/run/docker.sock"
  }),
  pageDirectory: file(
    "SIGNALBOX_STATUS_PAGE_DIR",
    "Directory into which the page and its compressed forms are written, for a proxy to serve without us; unset: nowhere"
  ),
  failuresBeforeDown: Settings.integer("SIGNALBOX_STATUS_FAILURES", {
    doc: "Checks in a row that must find a component worse before it is shown as such",
    unit: "checks",
    default: 2,
    min: 1,
    max: 100
  }),
  successesBeforeUp: Settings.integer("SIGNALBOX_STATUS_SUCCESSES", {
    doc: "Checks in a row that must find a component better before it is shown as such",
    unit: "checks",
    default: 2,
    min: 1,
    max: 100
  }),
  proposeAfter: Settings.integer("SIGNALBOX_STATUS_PROPOSE_AFTER", {
    doc: "How long a component is shown as down before an incident is drafted",
    unit: "seconds",
    default: 900,
    min: 1,
    max: 86_400
  })
}

export type StatusCheckerConfig = Values<typeof statusCheckerSettings>
