import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { useFilters } from "../../parts/Address.ts"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { Pager, useTrail } from "../../parts/Pager.tsx"
import { type RunState, runStates, severities, stateTitle } from "../../parts/RunBadges.tsx"
import { RunChart } from "../../parts/RunChart.tsx"
import { RunTable } from "../../parts/RunTable.tsx"
import { SendTest } from "./SendTest.tsx"

const t = words({
  en: {
    title: "Alarms",
    list: "Runs",
    state: "State",
    severity: "Severity",
    workflow: "Workflow",
    all: "all",
    send: "Send a test alarm"
  },
  de: {
    title: "Alarme",
    list: "Läufe",
    state: "Zustand",
    severity: "Stufe",
    workflow: "Workflow",
    all: "alle",
    send: "Testalarm senden"
  }
})

/** Runs per page. */
const pageSize = 50

/** Runs of a workflow, alarms by default, newest first and live. */
export default () => {
  const { set, value } = useFilters({ state: "", severity: "", workflow: "alarm" })
  const trail = useTrail([value.state, value.severity, value.workflow])
  const sending = useSignal(false)
  const before = trail.value.at(-1)
  const keys = [value.state, value.severity, value.workflow, before]
  const runs = useLoad(
    () =>
      call("GET /api/v1/workflows/runs", {
        query: {
          limit: pageSize,
          before,
          workflow: value.workflow,
          state: value.state as RunState,
          severity: value.severity as (typeof severities)[number]
        }
      }),
    keys,
    { live: ["alarm.*"], every: 30_000 }
  )
  const registry = useLoad(() => call("GET /api/v1/workflows"))
  const names = [
    ...new Set(["alarm", value.workflow, ...(registry.value.value?.items ?? []).map(({ name }) => name)])
  ].filter((name) => name !== "")
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
      <RunChart workflow={value.workflow} />
      <section class="card" aria-labelledby="runs">
        <div class="card-head">
          <h2 id="runs">{t().list}</h2>
          <div class="choices">
            <label>
              {t().state}
              <select
                name="state"
                value={value.state}
                onChange={({ currentTarget }) => set("state", currentTarget.value)}
              >
                <option value="">{t().all}</option>
                {runStates.map((state) => (
                  <option key={state} value={state}>
                    {stateTitle(state)}
                  </option>
                ))}
              </select>
            </label>
            <label>
              {t().severity}
              <select
                name="severity"
                value={value.severity}
                onChange={({ currentTarget }) => set("severity", currentTarget.value)}
              >
                <option value="">{t().all}</option>
                {severities.map((severity) => (
                  <option key={severity} value={severity}>
                    {severity}
                  </option>
                ))}
              </select>
            </label>
            <label>
              {t().workflow}
              <select
                name="workflow"
                value={value.workflow}
                onChange={({ currentTarget }) => set("workflow", currentTarget.value)}
              >
                <option value="">{t().all}</option>
                {names.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          </div>
        </div>
        <Loading of={runs}>
          {({ items, next_before }) => (
            <>
              <RunTable runs={items} />
              <Pager next={next_before} trail={trail} />
            </>
          )}
        </Loading>
      </section>
    </Page>
  )
}
