import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { duration, moment } from "../../../lib/Format.ts"
import { authorTitle } from "../../../parts/Author.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { OperationsPage } from "../OperationsPage.tsx"
import { AcknowledgeDialog } from "./AcknowledgeDialog.tsx"
import { AlertBadges } from "./AlertBadges.tsx"
import { Messages } from "./Messages.tsx"
import { SilenceDialog } from "./SilenceDialog.tsx"
import { type AlertDetail, detailText, summaryText } from "./Words.ts"

const t = words({
  en: {
    title: "Alert",
    cause: "Cause",
    opened: "Opened",
    closed: "Closed",
    lasted: (time: string) => `after ${time}`,
    told: "People notified",
    notTold: "not so far",
    repeats: (count: number) => (count === 1 ? "1 reminder" : `${count} reminders`),
    acknowledged: "Acknowledged",
    by: (when: string, who: string) => `${when} by ${who}`,
    note: "Note",
    changes: "Changes",
    messages: "Messages",
    none: "No message yet.",
    acknowledge: "Acknowledge",
    silence: "Silence"
  },
  de: {
    title: "Meldung",
    cause: "Ursache",
    opened: "Begonnen",
    closed: "Beendet",
    lasted: (time: string) => `nach ${time}`,
    told: "Benachrichtigt",
    notTold: "bisher nicht",
    repeats: (count: number) => (count === 1 ? "1 Erinnerung" : `${count} Erinnerungen`),
    acknowledged: "Quittiert",
    by: (when: string, who: string) => `${when} von ${who}`,
    note: "Notiz",
    changes: "Wechsel",
    messages: "Nachrichten",
    none: "Noch keine Nachricht.",
    acknowledge: "Quittieren",
    silence: "Stumm schalten"
  }
})

/** One alert with the messages that told people of it. */
export default ({ id }: { readonly id: string }) => {
  const alert = useLoad(() => call("GET /api/v1/monitoring/alerts/:id", { params: { id } }), [id], {
    live: ["monitoring.alert.*"],
    every: 10_000
  })
  const asked = useSignal<"acknowledge" | "silence" | undefined>(undefined)
  const found = alert.value.value
  const shut = () => (asked.value = undefined)
  const done = () => {
    shut()
    alert.reload()
  }
  return (
    <OperationsPage
      section="alerts"
      title={found?.key ?? t().title}
      actions={
        found?.state === "open" && may("system.manage") ? (
          <>
            {found.acknowledged_at === null ? (
              <button type="button" class="primary" onClick={() => (asked.value = "acknowledge")}>
                {t().acknowledge}
              </button>
            ) : null}
            <button type="button" onClick={() => (asked.value = "silence")}>
              {t().silence}
            </button>
          </>
        ) : undefined
      }
    >
      <Loading of={alert}>
        {(shown) => (
          <>
            <Facts of={shown} />
            <section class="card" aria-labelledby="messages">
              <h2 id="messages">{t().messages}</h2>
              {shown.messages.length === 0 ? (
                <p class="soft">{t().none}</p>
              ) : (
                <Messages label={t().messages} of={shown.messages} />
              )}
            </section>
          </>
        )}
      </Loading>
      {asked.value === "acknowledge" && found !== undefined ? (
        <AcknowledgeDialog alert={found} done={done} shut={shut} />
      ) : null}
      {asked.value === "silence" && found !== undefined ? (
        <SilenceDialog wanted={{ key_pattern: found.key }} done={done} shut={shut} />
      ) : null}
    </OperationsPage>
  )
}

const Facts = ({ of }: { readonly of: AlertDetail }) => {
  const facts: ReadonlyArray<readonly [string, string | null]> = [
    [t().cause, of.group],
    [t().opened, moment(of.opened_at)],
    [
      t().closed,
      of.closed_at === null
        ? null
        : `${moment(of.closed_at)}, ${t().lasted(duration(Date.parse(of.closed_at) - Date.parse(of.opened_at)))}`
    ],
    [
      t().told,
      of.told_at === null
        ? t().notTold
        : `${moment(of.told_at)}${of.repeats === 0 ? "" : `, ${t().repeats(of.repeats)}`}`
    ],
    [
      t().acknowledged,
      of.acknowledged_at === null ? null : t().by(moment(of.acknowledged_at), authorTitle(of.acknowledged_by ?? ""))
    ],
    [t().note, of.note],
    [t().changes, of.changes === 0 ? null : String(of.changes)]
  ]
  return (
    <section class="card" aria-label={t().title}>
      <p>
        <AlertBadges of={of} />
      </p>
      <p class="ops-summary">{summaryText(of)}</p>
      <dl class="facts ops-facts">
        {facts.flatMap(([name, value]) =>
          value === null ? [] : [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>]
        )}
      </dl>
      {detailText(of) === null ? null : <pre class="ops-detail">{detailText(of)}</pre>}
    </section>
  )
}
