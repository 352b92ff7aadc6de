import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { useFilterable } from "../../parts/Filterable.ts"
import { useFilters } from "../../parts/Address.ts"
import { Empty } from "../../parts/Empty.tsx"
import { FilterSelect, FilterText } from "../../parts/FilterSelect.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { Pager, useTrail } from "../../parts/Pager.tsx"
import { type RunState, runStates, severities, stateTitle } from "../../parts/RunBadges.tsx"
import { RunChart } from "../../parts/RunChart.tsx"
import { workflowName } from "../../parts/StepWords.ts"
import { RunTable } from "../../parts/RunTable.tsx"
import { SendTest } from "./SendTest.tsx"

const t = words({
  en: {
    title: "Alarms",
    list: "Alarms and runs",
    search: "Text, sender or target",
    acknowledged: "Acknowledged",
    open: "not yet",
    done: "yes",
    state: "State",
    severity: "Severity",
    workflow: "Workflow",
    send: "Send a test alarm",
    none: "No alarms yet",
    about:
      "An alarm comes in by mail or by the API, and goes to telephones, messengers and webhooks. Each one is listed " +
      "here with its targets and with who acknowledged it.",
    nothing: "No alarm matches the filters.",
    all: "Remove the filters"
  },
  de: {
    title: "Alarme",
    list: "Alarme und Läufe",
    search: "Text, Absender oder Ziel",
    acknowledged: "Quittiert",
    open: "noch nicht",
    done: "ja",
    state: "Zustand",
    severity: "Stufe",
    workflow: "Workflow",
    send: "Testalarm senden",
    none: "Noch keine Alarme",
    about:
      "Ein Alarm kommt per Mail oder über die API und geht an Telefone, Messenger und Webhooks. Hier steht jeder mit " +
      "seinen Zielen und mit dem, der ihn quittiert hat.",
    nothing: "Kein Alarm passt zu den Filtern.",
    all: "Filter entfernen"
  }
})

/** Runs per page. */
const pageSize = 50

const defaults = { q: "", acknowledged: "", state: "", severity: "", workflow: "alarm" } as const

/** Runs of a workflow, alarms by default, newest first and live. */
export default () => {
  const { clear, isSet, set, value } = useFilters(defaults)
  const keys = [value.q, value.acknowledged, value.state, value.severity, value.workflow]
  const trail = useTrail(keys)
  const sending = useSignal(false)
  const before = trail.value.at(-1)
  const runs = useLoad(
    () =>
      call("GET /api/v1/workflows/runs", {
        query: {
          limit: pageSize,
          before,
          q: value.q,
          acknowledged: value.acknowledged as "true" | "false",
          workflow: value.workflow,
          state: value.state as RunState,
          severity: value.severity as (typeof severities)[number]
        }
      }),
    [...keys, before],
    { live: ["alarm.*"], every: 30_000 }
  )
  const registry = useLoad(() => call("GET /api/v1/workflows"))
  const names = [
    ...new Set(["alarm", value.workflow, ...(registry.value.value?.items ?? []).map(({ name }) => name)])
  ].filter((name) => name !== "")
  const filterable = useFilterable(runs, isSet || before !== undefined, () =>
    call("GET /api/v1/workflows/runs", { query: { limit: 1 } })
  )
  const isEmpty = runs.value.value?.items.length === 0 && !isSet && before === undefined
  return (
    <Page
      title={t().title}
      actions={
        <button type="button" onClick={() => (sending.value = true)}>
          {t().send}
        </button>
      }
    >
      {sending.value ? <SendTest close={() => (sending.value = false)} /> : null}
      {isEmpty ? null : <RunChart workflow={value.workflow} />}
      <section class="card" aria-labelledby="runs">
        <div class="card-head">
          <h2 id="runs">{t().list}</h2>
        </div>
        {filterable ? (
          <div class="filters">
            <FilterText label={t().search} name="q" value={value.q} set={(one) => set("q", one)} />
            <FilterSelect
              label={t().acknowledged}
              name="acknowledged"
              value={value.acknowledged}
              options={[
                ["false", t().open],
                ["true", t().done]
              ]}
              set={(one) => set("acknowledged", one)}
            />
            <FilterSelect
              label={t().state}
              name="state"
              value={value.state}
              options={runStates.map((state) => [state, stateTitle(state)])}
              set={(one) => set("state", one)}
            />
            <FilterSelect
              label={t().severity}
              name="severity"
              value={value.severity}
              options={severities.map((severity) => [severity, severity])}
              set={(one) => set("severity", one)}
            />
            <FilterSelect
              label={t().workflow}
              name="workflow"
              value={value.workflow}
              options={names.map((name) => [name, workflowName(name)])}
              set={(one) => set("workflow", one)}
            />
          </div>
        ) : null}
        <Loading of={runs}>
          {({ items, next_before }) => (
            <>
              <RunTable
                runs={items}
                changed={runs.reload}
                empty={
                  isEmpty ? (
                    <Empty title={t().none} text={t().about}>
                      <button type="button" class="primary" onClick={() => (sending.value = true)}>
                        {t().send}
                      </button>
                    </Empty>
                  ) : (
                    <Empty text={t().nothing}>
                      <button type="button" onClick={clear}>
                        {t().all}
                      </button>
                    </Empty>
                  )
                }
              />
              <Pager next={next_before} trail={trail} />
            </>
          )}
        </Loading>
      </section>
    </Page>
  )
}
