import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { bothMoments, duration, shortMoment } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { useFilterable } from "../../../parts/Filterable.ts"
import { FilterSelect } from "../../../parts/FilterSelect.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { RowTable } from "../../../parts/RowTable.tsx"
import { AlertBadges } from "./AlertBadges.tsx"
import { type Alert, alertHref, alertWords, summaryText } from "./Words.ts"

const t = words({
  en: {
    title: "Past alerts",
    none: "No alert is over yet.",
    noneSo: "No alert matches the filters.",
    severity: "Severity",
    opened: "Opened",
    alert: "Alert",
    state: "State",
    lasted: "Lasted"
  },
  de: {
    title: "Vergangene Meldungen",
    none: "Noch keine Meldung ist vorbei.",
    noneSo: "Keine Meldung passt zu den Filtern.",
    severity: "Stufe",
    opened: "Begonnen",
    alert: "Meldung",
    state: "Zustand",
    lasted: "Dauer"
  }
})

/** Alerts per page. */
const pageSize = 20

/** Closed alerts, newest first. */
export const PastAlerts = () => {
  const severity = useSignal("")
  const trail = useTrail([severity.value])
  const before = trail.value.at(-1)
  const list = useLoad(
    () =>
      call("GET /api/v1/monitoring/alerts", {
        query: {
          state: "closed",
          limit: pageSize,
          before,
          severity: severity.value === "" ? undefined : (severity.value as Alert["severity"])
        }
      }),
    [severity.value, before],
    { live: ["monitoring.alert.closed"] }
  )
  const filterable = useFilterable(list, severity.value !== "" || before !== undefined)
  return (
    <section class="card" aria-labelledby="past-alerts">
      <div class="card-head">
        <h2 id="past-alerts">{t().title}</h2>
        {filterable ? (
          <FilterSelect
            name="severity"
            label={t().severity}
            value={severity.value}
            set={(value) => (severity.value = value)}
            options={(["critical", "warning"] as const).map((one) => [one, alertWords()[one]] as const)}
          />
        ) : null}
      </div>
      <Loading of={list}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? (
              <p class="soft">{severity.value === "" ? t().none : t().noneSo}</p>
            ) : (
              <RowTable
                labelledBy="past-alerts"
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: t().alert,
                    show: (alert) => (
                      <>
                        <a href={alertHref(alert.id)}>{alert.key}</a>
                        <small>{summaryText(alert)}</small>
                      </>
                    )
                  },
                  { title: t().state, show: (alert) => <AlertBadges of={alert} /> },
                  {
                    title: t().opened,
                    show: ({ opened_at }) => (
                      <time dateTime={opened_at} title={bothMoments(opened_at)}>
                        {shortMoment(opened_at)}
                      </time>
                    )
                  },
                  {
                    title: t().lasted,
                    numeric: true,
                    show: ({ closed_at, opened_at }) =>
                      closed_at === null ? "" : duration(Date.parse(closed_at) - Date.parse(opened_at))
                  }
                ]}
              />
            )}
            <Pager trail={trail} next={next_before} />
          </>
        )}
      </Loading>
    </section>
  )
}
