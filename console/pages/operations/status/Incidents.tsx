import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may } from "../../../lib/Me.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Empty } from "../../../parts/Empty.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { Pager, useTrail } from "../../../parts/Pager.tsx"
import { RowTable } from "../../../parts/RowTable.tsx"
import { At } from "../../../parts/When.tsx"
import { IncidentForm } from "./IncidentForm.tsx"
import { incidentHref, incidentTone, incidentWords, titleOf } from "./IncidentWords.ts"

const t = words({
  en: {
    title: "Incidents",
    open: "Open an incident",
    none: "No incidents yet",
    about:
      "An incident tells visitors and subscribers what is broken and how the repair is going. It is a draft until you " +
      "publish it. When a component stays down, a draft is proposed.",
    incident: "Incident",
    state: "State",
    began: "Began",
    components: "Components"
  },
  de: {
    title: "Störungen",
    open: "Störung anlegen",
    none: "Noch keine Störungen",
    about:
      "Eine Störung sagt Besuchern und Abonnenten, was ausgefallen ist und wie weit die Reparatur ist. Bis Sie sie " +
      "veröffentlichen, ist sie ein Entwurf. Bleibt eine Komponente ausgefallen, wird ein Entwurf vorgeschlagen.",
    incident: "Störung",
    state: "Zustand",
    began: "Begonnen",
    components: "Komponenten"
  }
})

/** Incidents per page. */
const pageSize = 20

/** Interval of loading the list again, because colleagues and the checker change incidents. Unit: milliseconds. */
const every = 30_000

/** Incidents of the database, newest first; a row opens one. */
export const Incidents = () => {
  const { route } = useLocation()
  const trail = useTrail([])
  const before = trail.value.at(-1)
  const list = useLoad(() => call("GET /api/v1/admin/incidents", { query: { limit: pageSize, before } }), [before], {
    every
  })
  const adding = useSignal(false)
  const open = (
    <button type="button" onClick={() => (adding.value = true)}>
      {t().open}
    </button>
  )
  const manages = may("system.manage")
  return (
    <section class="card" aria-labelledby="incidents">
      <div class="card-head">
        <h2 id="incidents">{t().title}</h2>
        {manages && !adding.value && (list.value.value?.items.length ?? 0) > 0 ? open : null}
      </div>
      {adding.value ? (
        <IncidentForm of={undefined} shut={() => (adding.value = false)} saved={({ id }) => route(incidentHref(id))} />
      ) : null}
      <Loading of={list}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? (
              adding.value ? null : (
                <Empty title={t().none} text={t().about}>
                  {manages ? open : undefined}
                </Empty>
              )
            ) : (
              <RowTable
                labelledBy="incidents"
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  { title: t().incident, show: (one) => <a href={incidentHref(one.id)}>{titleOf(one)}</a> },
                  {
                    title: t().state,
                    show: (one) => (
                      <Badge tone={incidentTone(one)}>
                        {incidentWords()[one.state === "draft" ? "draft" : one.status]}
                      </Badge>
                    )
                  },
                  { title: t().began, show: ({ created_at }) => <At at={created_at} /> },
                  {
                    title: t().components,
                    show: ({ components }) => (components.length === 0 ? "–" : components.join(", "))
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
