/** Words of alerts in both languages. */
import type { Answer } from "../../../lib/Endpoints.ts"
import { language, words } from "../../../lib/Language.ts"
import type { Tone } from "../../../parts/Badge.tsx"

export type Alert = Answer<"GET /api/v1/monitoring/alerts">["items"][number]
export type AlertDetail = Answer<"GET /api/v1/monitoring/alerts/:id">
export type Message = AlertDetail["messages"][number]
export type Silence = Answer<"GET /api/v1/monitoring/silences">["items"][number]

export const alertWords = words({
  en: {
    warning: "warning",
    critical: "critical",
    open: "open",
    closed: "closed",
    recovered: "recovered",
    removed: "check removed",
    flapping: "flapping",
    silenced: "silenced",
    maintenance: "maintenance",
    acknowledged: "acknowledged",
    opened: "Opened",
    repeated: "Reminder",
    recovery: "Recovery",
    test: "Test",
    mail: "mail",
    messenger: "messenger",
    webhook: "webhook",
    app: "notification",
    alarm: "alarm workflow",
    pending: "not sent yet",
    sending: "is being sent",
    sent: "sent",
    uncertain: "in doubt",
    failed: "failed",
    planned: "planned",
    active: "active",
    over: "over"
  },
  de: {
    warning: "Warnung",
    critical: "kritisch",
    open: "offen",
    closed: "vorbei",
    recovered: "wieder gut",
    removed: "Prüfung entfernt",
    flapping: "flattert",
    silenced: "stumm",
    maintenance: "Wartung",
    acknowledged: "quittiert",
    opened: "Neu",
    repeated: "Erinnerung",
    recovery: "Wieder gut",
    test: "Test",
    mail: "Mail",
    messenger: "Messenger",
    webhook: "Webhook",
    app: "Mitteilung",
    alarm: "Alarm-Workflow",
    pending: "noch nicht gesendet",
    sending: "wird gesendet",
    sent: "gesendet",
    uncertain: "ungewiss",
    failed: "fehlgeschlagen",
    planned: "geplant",
    active: "aktiv",
    over: "vorbei"
  }
})

export const messageTitle = (kind: Message["kind"]): string => alertWords()[kind === "recovered" ? "recovery" : kind]

export const severityTones: Readonly<Record<Alert["severity"], Tone>> = { warning: "warning", critical: "error" }

export const deliveryTones: Readonly<Record<Message["deliveries"][number]["state"], Tone>> = {
  pending: "quiet",
  sending: "info",
  sent: "success",
  uncertain: "warning",
  failed: "error"
}

/** What is wrong, in the page's language. Summaries of checks begin with the key, which the page shows already. */
export const summaryText = ({ key, summary, summary_de }: Pick<Alert, "key" | "summary" | "summary_de">): string => {
  const text = language.value === "de" ? summary_de : summary
  return text.startsWith(`${key}: `) ? text.slice(key.length + 2) : text
}

/** Further lines in the page's language. */
export const detailText = ({ detail, detail_de }: Pick<Alert, "detail" | "detail_de">): string | null =>
  language.value === "de" ? detail_de : detail

export const alertHref = (id: string): string => `/console/operations/alerts/${id}`
