import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Problem } from "../../lib/Problem.ts"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { Pager, useTrail } from "../../parts/Pager.tsx"
import { RunChart } from "../../parts/RunChart.tsx"
import { RunTable } from "../../parts/RunTable.tsx"
import { workflowName } from "../../parts/StepWords.ts"

const t = words({
  en: {
    title: (name: string) => `Workflow: ${name}`,
    back: "All workflows",
    list: "Runs",
    missing: "There is no such workflow."
  },
  de: {
    title: (name: string) => `Workflow: ${name}`,
    back: "Alle Workflows",
    list: "Läufe",
    missing: "Diesen Workflow gibt es nicht."
  }
})

/** Runs of one workflow, newest first. */
export default ({ name }: { readonly name: string }) => {
  const found = useLoad(async () => {
    const { items } = await call("GET /api/v1/workflows")
    if (!items.some((one) => one.name === name)) throw new Problem(404, "not_found", t().missing)
    return name
  }, [name])
  return (
    <Page
      title={t().title(workflowName(name))}
      actions={
        <a class="button" href="/console/workflows">
          {t().back}
        </a>
      }
    >
      <Loading of={found}>{(name) => <Runs of={name} />}</Loading>
    </Page>
  )
}

const Runs = ({ of: name }: { readonly of: string }) => {
  const trail = useTrail([name])
  const before = trail.value.at(-1)
  const runs = useLoad(
    () => call("GET /api/v1/workflows/runs", { query: { limit: 50, before, workflow: name } }),
    [name, before],
    { live: ["alarm.*"], every: 10_000 }
  )
  return (
    <>
      <RunChart workflow={name} />
      <section class="card" aria-labelledby="runs">
        <div class="card-head">
          <h2 id="runs">{t().list}</h2>
        </div>
        <Loading of={runs}>
          {({ items, next_before }) => (
            <>
              <RunTable runs={items} alarms={name === "alarm"} />
              <Pager next={next_before} trail={trail} />
            </>
          )}
        </Loading>
      </section>
    </>
  )
}
