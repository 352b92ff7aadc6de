import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { useNow } from "../../../parts/Now.ts"
import { When } from "../../../parts/When.tsx"
import { AcknowledgeDialog } from "./AcknowledgeDialog.tsx"
import { AlertBadges } from "./AlertBadges.tsx"
import { type Group, groupsOf } from "./Groups.ts"
import { SilenceDialog, type Wanted } from "./SilenceDialog.tsx"
import { type Alert, alertHref, summaryText } from "./Words.ts"

const t = words({
  en: {
    title: "Open alerts",
    none: "Nothing is wrong. An alert appears here as soon as a check fails.",
    several: (count: number) => `${count} alerts`,
    acknowledge: "Acknowledge",
    silence: "Silence",
    silenceGroup: "Silence all",
    more: "Only the newest 200 are shown."
  },
  de: {
    title: "Offene Meldungen",
    none: "Nichts ist gestört. Sobald eine Prüfung scheitert, steht hier eine Meldung.",
    several: (count: number) => `${count} Meldungen`,
    acknowledge: "Quittieren",
    silence: "Stumm schalten",
    silenceGroup: "Alle stumm schalten",
    more: "Nur die neuesten 200 stehen hier."
  }
})

/** Maximum number of alerts on the page. */
const listed = 200

/** Reload interval. Unit: milliseconds. Reason: silences begin and end without an event. */
const every = 15_000

/** Open alerts by their cause; acknowledges and silences them. */
export const OpenAlerts = ({ changed, turn }: { readonly turn: number; readonly changed: () => void }) => {
  const list = useLoad(
    () => call("GET /api/v1/monitoring/alerts", { query: { state: "open", limit: listed } }),
    [turn],
    { live: ["monitoring.alert.*"], every }
  )
  const acknowledging = useSignal<Alert | undefined>(undefined)
  const silencing = useSignal<Wanted | undefined>(undefined)
  const shut = () => {
    acknowledging.value = undefined
    silencing.value = undefined
  }
  const done = () => {
    shut()
    changed()
  }
  return (
    <section class="card" aria-labelledby="open-alerts">
      <h2 id="open-alerts">{t().title}</h2>
      <Loading of={list}>
        {({ items, next_before }) =>
          items.length === 0 ? (
            <p class="empty">{t().none}</p>
          ) : (
            <>
              {groupsOf(items).map((group) => (
                <AlertGroup
                  key={group.name}
                  group={group}
                  acknowledge={(alert) => void (acknowledging.value = alert)}
                  silence={(wanted) => void (silencing.value = wanted)}
                />
              ))}
              {next_before === null ? null : <p class="soft">{t().more}</p>}
            </>
          )
        }
      </Loading>
      {acknowledging.value === undefined ? null : (
        <AcknowledgeDialog alert={acknowledging.value} done={done} shut={shut} />
      )}
      {silencing.value === undefined ? null : <SilenceDialog wanted={silencing.value} done={done} shut={shut} />}
    </section>
  )
}

const AlertGroup = ({
  acknowledge,
  group: { alerts, name },
  silence
}: {
  readonly group: Group
  readonly acknowledge: (alert: Alert) => void
  readonly silence: (wanted: Wanted) => void
}) => {
  const now = useNow(15_000)
  const manages = may("system.manage")
  return (
    <div class="ops-group">
      {alerts.length === 1 ? null : (
        <div class="ops-line">
          <h3>{name}</h3>
          <span class="soft">{t().several(alerts.length)}</span>
          {manages ? (
            <button type="button" class="small" onClick={() => silence({ group_pattern: name })}>
              {t().silenceGroup}
              <span class="sr">: {name}</span>
            </button>
          ) : null}
        </div>
      )}
      <ul class="rows">
        {alerts.map((alert) => (
          <li key={alert.id} class={`ops-alert ${alert.severity}`}>
            <div class="ops-alert-text">
              <div class="ops-line">
                <a href={alertHref(alert.id)}>
                  <strong>{alert.key}</strong>
                </a>
                <AlertBadges of={alert} />
                <When at={alert.opened_at} now={now} />
              </div>
              <p>{summaryText(alert)}</p>
              {alert.note === null ? null : <small>{alert.note}</small>}
            </div>
            {manages ? (
              <div class="page-actions">
                {alert.acknowledged_at === null ? (
                  <button type="button" class="small" onClick={() => acknowledge(alert)}>
                    {t().acknowledge}
                    <span class="sr">: {alert.key}</span>
                  </button>
                ) : null}
                <button type="button" class="small" onClick={() => silence({ key_pattern: alert.key })}>
                  {t().silence}
                  <span class="sr">: {alert.key}</span>
                </button>
              </div>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  )
}
