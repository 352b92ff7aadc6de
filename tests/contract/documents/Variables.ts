/** Environment variables that the documents name, with their documented defaults. Our names, where they differ. */
export interface DocumentedVariable {
  readonly section: string
  /** As in the document. */
  readonly name: string
  /** Name of the variable, where the document names a setting that is none, or one of several daemons. */
  readonly ours?: string
  readonly daemon: string
  /** The document shows no default: unset, or an empty list. */
  readonly default?: string
}

const page = { section: "3 §2.1", daemon: "status-checker" }
const edge = { section: "3 §2.2", daemon: "edge-auth" }
const alarm = { section: "1 §2.4", daemon: "comm-dispatcher" }

export const variables: ReadonlyArray<DocumentedVariable> = [
  { ...alarm, name: "allowed_senders", ours: "SIGNALBOX_ALARM_ALLOWED_SENDERS" },
  { ...alarm, name: "allowed_domains", ours: "SIGNALBOX_ALARM_ALLOWED_DOMAINS" },
  {
    section: "1 §8",
    daemon: "comm-dispatcher",
    name: "alarm dedup cooldown",
    ours: "SIGNALBOX_ALARM_COOLDOWN",
    default: "600"
  },
  { ...page, name: "SERVICES_FILE" },
  { ...page, name: "INCIDENTS_FILE" },
  { ...page, name: "UPTIME_FILE" },
  { ...page, name: "SUBSCRIBERS_DB" },
  { ...page, name: "NOTIFIED_FILE" },
  { ...page, name: "CHECK_INTERVAL", default: "300" },
  { ...page, name: "SMTP_HOST" },
  { ...page, name: "SMTP_PORT", default: "25" },
  { ...page, name: "MAIL_FROM" },
  { ...page, name: "BASE_URL" },
  { ...edge, name: "AUTH_COOKIE_DOMAIN" },
  { ...edge, name: "AUTH_SESSION_TTL", default: "86400" },
  { ...edge, name: "AUTH_DB_PATH" },
  { ...edge, name: "AUTH_FIRST_USER_ADMIN", default: "true" },
  { ...edge, name: "rate_limit_window", ours: "AUTH_RATE_LIMIT_WINDOW", default: "300" },
  { ...edge, name: "rate_limit_max", ours: "AUTH_RATE_LIMIT_MAX", default: "10" }
]
